UPDATE copy SET due_at = ?1 WHERE state = 'failed' AND due_at > ?1
