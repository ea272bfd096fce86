SELECT number, at, digest, length, media_type, last_modified, url, payload, job, charset FROM version WHERE resource = $1 AND number = $2
