SELECT 1 FROM event WHERE file = $1 AND kind = $2 LIMIT 1
