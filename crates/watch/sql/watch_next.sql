-- What was there when it was first seen counts as told.
UPDATE watch SET every = $2, due_at = $3, judged = $4, told = CASE WHEN judged = 0 THEN $4 ELSE told END, missed = $5, calm = $6,
    large = coalesce($7, large)
WHERE id = $1
