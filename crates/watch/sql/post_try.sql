UPDATE post SET tries = tries + 1, due_at = $2 WHERE message = $1 AND sent_at IS NULL
