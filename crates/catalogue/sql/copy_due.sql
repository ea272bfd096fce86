SELECT id, name, bytes, sha256, accepted_us FROM (
    SELECT * FROM (
        SELECT file.id, file.name, file.bytes, file.sha256, file.accepted_us
        FROM copy JOIN file ON file.id = copy.file
        WHERE copy.replica = $1 AND copy.state IN ('wanted', 'uploading', 'uploaded', 'failed') AND copy.due_us <= $2
        ORDER BY copy.due_us, copy.file LIMIT $3
    ) AS due
    UNION ALL
    SELECT * FROM (
        SELECT file.id, file.name, file.bytes, file.sha256, file.accepted_us
        FROM copy JOIN file ON file.id = copy.file
        WHERE copy.replica = $1 AND copy.state IN ('wanted', 'uploading', 'uploaded', 'failed') AND copy.due_us > $4
        ORDER BY copy.due_us, copy.file LIMIT $3
    ) AS ahead
) AS all_due LIMIT $3
