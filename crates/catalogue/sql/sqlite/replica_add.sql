INSERT INTO replica (name, kind, added_at) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO NOTHING
