WITH late AS (
    SELECT id, row_number() OVER (ORDER BY due_at, id) - 1 AS place, count(*) OVER () AS total
    FROM watch WHERE is_paused = 0 AND due_at <= ?1
)
UPDATE watch SET due_at = ?1 + late.place * min(?2, watch.every * 500) / late.total
FROM late WHERE watch.id = late.id AND late.total > ?3
