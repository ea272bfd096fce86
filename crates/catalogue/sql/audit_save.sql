UPDATE audit SET state = $2, ended_us = $3, reached = $4, files = $5, bytes = $6,
    missing = $7, changed = $8, resized = $9, unknown = $10, not_copied = $11
WHERE id = $1
