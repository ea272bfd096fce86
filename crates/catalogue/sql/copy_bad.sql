SELECT file.id, file.name, file.bytes, file.sha256, file.accepted_us
FROM copy JOIN file ON file.id = copy.file
WHERE copy.replica = $1 AND copy.state = $2 AND copy.state IN ('failed', 'missing', 'changed') AND copy.file > $3
ORDER BY copy.file LIMIT $4
