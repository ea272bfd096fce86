INSERT INTO habit (watch, learned) VALUES ($1, $2) ON CONFLICT (watch) DO UPDATE SET learned = excluded.learned
