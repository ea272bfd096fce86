UPDATE given SET watch = max(watch, (SELECT coalesce(max(id), 0) FROM watch WHERE resource = $1))
