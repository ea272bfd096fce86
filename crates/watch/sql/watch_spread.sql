WITH late AS (
    SELECT id, row_number() OVER (ORDER BY due_at, id) - 1 AS place, count(*) OVER () AS total
    FROM watch WHERE is_paused = 0 AND due_at <= $1
)
UPDATE watch SET due_at = $1 + late.place * CASE WHEN watch.every * 500 < $2 THEN watch.every * 500 ELSE $2 END / late.total
FROM late WHERE watch.id = late.id AND late.total > $3
