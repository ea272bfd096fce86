SELECT 1 FROM job WHERE name = $1
