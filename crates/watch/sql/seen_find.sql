SELECT version, at FROM seen WHERE person = $1 AND resource = $2
