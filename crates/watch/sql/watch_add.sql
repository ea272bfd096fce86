INSERT INTO watch (id, owner, resource, every, least, most, head_first, force, rules, notify, is_paused, due_at, added_at, title, tags, notes,
    gone_after, judged, told)
SELECT (SELECT max(ids.id) FROM (SELECT max(id) AS id FROM watch UNION ALL SELECT watch FROM given) AS ids) + 1, $1, id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, newest, newest FROM resource WHERE url = $2
ON CONFLICT DO NOTHING RETURNING id
