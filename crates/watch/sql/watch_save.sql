-- When it is due is said by its checks, unless its pace is another one, or it goes on after a pause.
UPDATE watch SET every = $2, least = $3, most = $4, head_first = $5, force = $6, rules = $7, notify = $8, is_paused = $9,
    due_at = CASE WHEN every <> $2 OR least IS DISTINCT FROM $3 OR most IS DISTINCT FROM $4 OR is_paused <> $9 THEN $10 ELSE due_at END,
    title = $11, tags = $12, notes = $13, gone_after = $14
WHERE id = $1
