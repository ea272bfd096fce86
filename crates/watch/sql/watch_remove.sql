DELETE FROM watch WHERE id = $1
