SELECT number, hash FROM event ORDER BY number DESC LIMIT 1
