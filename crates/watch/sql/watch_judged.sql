-- A pace that somebody has set meanwhile stays.
UPDATE watch SET judged = $3, told = CASE WHEN told < $4 THEN $4 ELSE told END, calm = 0, every = CASE WHEN least IS NULL THEN every ELSE $5 END,
    due_at = CASE WHEN least IS NULL THEN due_at ELSE $6 END
WHERE id = $1 AND judged = $2
