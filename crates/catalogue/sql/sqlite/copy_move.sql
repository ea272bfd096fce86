UPDATE copy SET state = ?4, found = ?5, why = ?6, tries = ?7, due_at = ?8, checked_at = ?9
WHERE file = ?1 AND replica = ?2 AND state = ?3
