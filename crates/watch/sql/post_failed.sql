UPDATE post SET why = $2, is_given_up = $3 WHERE message = $1 AND sent_at IS NULL
