SELECT count(*) AS checks, count(CASE WHEN outcome IN ('first', 'changed') THEN 1 END) AS changed FROM look WHERE job = $1
