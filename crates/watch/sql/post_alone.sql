UPDATE post SET message = $1 WHERE id = $2 AND message IS NULL
