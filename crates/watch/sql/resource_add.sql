INSERT INTO resource (url, key, added_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
