SELECT at / 86400000, count(*), coalesce(sum(outcome NOT IN ('unavailable', 'unreachable')), 0),
    coalesce(sum(outcome IN ('changed', 'too-large-changed')), 0)
FROM look WHERE resource = ?1 AND at >= ?2 GROUP BY 1 ORDER BY 1
