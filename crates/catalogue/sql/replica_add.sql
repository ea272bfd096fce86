INSERT INTO replica (name, kind, added_us) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING
