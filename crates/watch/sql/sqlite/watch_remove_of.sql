DELETE FROM watch WHERE resource = $1
