SELECT file.id, file.name, file.bytes, file.sha256, file.accepted_us
FROM copy JOIN file ON file.id = copy.file
WHERE copy.replica = $1 AND copy.state IN ('wanted', 'uploading', 'uploaded', 'failed') AND copy.file > $2
ORDER BY copy.file LIMIT $3
