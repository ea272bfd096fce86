INSERT INTO news (watch, kind, at, mark, before, after, summary, text, html) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT DO NOTHING RETURNING id
