SELECT number, at_us, kind, file, replica, who, what, hash FROM event ORDER BY number DESC LIMIT $1
