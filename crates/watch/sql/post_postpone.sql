UPDATE post SET due_at = $2 WHERE id = $1
