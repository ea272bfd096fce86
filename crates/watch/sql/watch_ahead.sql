SELECT 1 FROM watch WHERE is_paused = 0 AND due_at - every * 1000 > $1 LIMIT 1
