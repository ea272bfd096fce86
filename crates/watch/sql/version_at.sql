SELECT number, at, digest, length, media_type, last_modified, url, payload, job, charset FROM version
WHERE resource = $1 AND at <= $2 ORDER BY at DESC, number DESC LIMIT 1
