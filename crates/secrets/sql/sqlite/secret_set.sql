INSERT INTO secret (origin, key, nonce, sealed, set_at) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (origin) DO UPDATE SET key = ?2, nonce = ?3, sealed = ?4, set_at = ?5
