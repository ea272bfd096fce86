INSERT INTO post (news, address, is_digest, due_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
