UPDATE watch SET every = ?2, due_at = ?3, judged = ?4, told = max(told, ?5), missed = ?6, calm = ?7, large = coalesce(?8, large) WHERE id = ?1
