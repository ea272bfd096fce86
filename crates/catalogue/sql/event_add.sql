INSERT INTO event (number, at_us, kind, file, replica, who, what, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
