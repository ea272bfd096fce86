SELECT origin, key, nonce, sealed, set_at FROM secret ORDER BY origin
