UPDATE post SET tries = tries + 1, due_at = ?2, why = ?3, is_given_up = ?4 WHERE message = ?1 AND sent_at IS NULL
