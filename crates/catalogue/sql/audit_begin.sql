INSERT INTO audit (replica, kind, state, began_us) VALUES ($1, $2, 'running', $3)
