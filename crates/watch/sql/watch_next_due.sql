SELECT min(due_at) AS due_at FROM watch WHERE is_paused = 0
