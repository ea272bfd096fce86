UPDATE watch SET due_at = $2 WHERE is_paused = 0 AND due_at - every * 1000 > $1
