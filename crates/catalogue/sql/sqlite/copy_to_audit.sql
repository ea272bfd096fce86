SELECT file.id, file.name, file.bytes, file.sha256, file.accepted_at
FROM copy JOIN file ON file.id = copy.file
WHERE copy.replica = ?1 AND copy.state = 'verified' AND copy.checked_at < ?2
ORDER BY copy.checked_at, copy.file LIMIT ?3
