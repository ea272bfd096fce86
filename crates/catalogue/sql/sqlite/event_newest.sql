SELECT number, at, kind, file, replica, who, what, hash FROM event ORDER BY number DESC LIMIT ?1
