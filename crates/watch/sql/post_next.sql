SELECT min(due_at) AS due_at FROM post WHERE sent_at IS NULL AND is_given_up = 0
