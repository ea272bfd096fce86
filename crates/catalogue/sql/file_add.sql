INSERT INTO file (name, bytes, sha256, added_us) VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO NOTHING
