SELECT at / 86400000 AS day, count(*) AS checks, count(CASE WHEN outcome NOT IN ('unavailable', 'unreachable') THEN 1 END) AS available,
    count(CASE WHEN outcome IN ('changed', 'too-large-changed') THEN 1 END) AS changed
FROM look WHERE resource = $1 AND at >= $2 GROUP BY 1 ORDER BY 1
