SELECT state, tries, due_at, checked_at FROM copy WHERE file = ?1 AND replica = ?2
