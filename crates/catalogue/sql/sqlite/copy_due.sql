SELECT id, name, bytes, sha256, accepted_at FROM (
    SELECT * FROM (
        SELECT file.id, file.name, file.bytes, file.sha256, file.accepted_at
        FROM copy JOIN file ON file.id = copy.file
        WHERE copy.replica = ?1 AND copy.state IN ('wanted', 'uploading', 'uploaded', 'failed') AND copy.due_at <= ?2
        ORDER BY copy.due_at, copy.file LIMIT ?3
    )
    UNION ALL
    SELECT * FROM (
        SELECT file.id, file.name, file.bytes, file.sha256, file.accepted_at
        FROM copy JOIN file ON file.id = copy.file
        WHERE copy.replica = ?1 AND copy.state IN ('wanted', 'uploading', 'uploaded', 'failed') AND copy.due_at > ?4
        ORDER BY copy.due_at, copy.file LIMIT ?3
    )
) LIMIT ?3
