UPDATE watch SET every = ?2, least = ?3, most = ?4, head_first = ?5, force = ?6, rules = ?7, notify = ?8, is_paused = ?9, due_at = ?10,
    title = ?11, tags = ?12, notes = ?13, gone_after = ?14
WHERE id = ?1
