UPDATE watch SET judged = ?3, told = max(told, ?4), calm = 0, every = ?5, due_at = ?6 WHERE id = ?1 AND judged = ?2
