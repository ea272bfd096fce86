SELECT id, name, bytes, sha256, accepted_at FROM file WHERE name = ?1
