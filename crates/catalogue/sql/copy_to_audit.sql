SELECT file.id, file.name, file.bytes, file.sha256, file.accepted_us
FROM copy JOIN file ON file.id = copy.file
WHERE copy.replica = $1 AND copy.state = 'verified' AND copy.checked_us < $2
ORDER BY copy.checked_us, copy.file LIMIT $3
