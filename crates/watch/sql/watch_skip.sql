UPDATE watch SET due_at = $2 + CASE WHEN every * 1000 < $3 THEN every * 1000 ELSE $3 END WHERE id = $1
