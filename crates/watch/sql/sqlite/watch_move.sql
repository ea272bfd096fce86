UPDATE OR IGNORE watch
SET resource = $2,
    judged = (SELECT newest FROM resource WHERE id = $2),
    told = (SELECT newest FROM resource WHERE id = $2)
WHERE resource = $1
