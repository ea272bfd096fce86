INSERT INTO audit (replica, kind, state, began_at) VALUES (?1, ?2, 'running', ?3)
