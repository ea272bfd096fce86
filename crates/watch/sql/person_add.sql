INSERT INTO person (name, added_at) VALUES ($1, $2) ON CONFLICT DO NOTHING
