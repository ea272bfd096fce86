UPDATE post SET sent_at = $2, why = NULL WHERE message = $1 AND sent_at IS NULL
