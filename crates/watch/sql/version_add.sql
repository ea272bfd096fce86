INSERT INTO version (resource, number, at, digest, length, media_type, last_modified, url, payload, job, charset)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
