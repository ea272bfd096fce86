SELECT number, at_us, kind, file, replica, who, what, hash FROM event WHERE number > $1 ORDER BY number LIMIT $2
