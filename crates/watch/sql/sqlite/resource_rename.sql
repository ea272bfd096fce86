UPDATE resource SET url = $2, key = $3 WHERE id = $1
