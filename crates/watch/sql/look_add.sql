INSERT INTO look (resource, job, at, outcome, status, final_url, redirects, digest, length, version, took_ms, why, faults, head)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) RETURNING id
