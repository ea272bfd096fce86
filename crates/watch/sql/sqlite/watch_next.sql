UPDATE watch SET every = ?2, due_at = ?3 WHERE id = ?1
