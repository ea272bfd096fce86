SELECT number, at_us, kind, file, replica, who, what, hash FROM event WHERE file = $1 ORDER BY number DESC LIMIT $2
