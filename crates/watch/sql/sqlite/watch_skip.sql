UPDATE watch SET due_at = ?2 + min(?3, every * 1000) WHERE id = ?1
