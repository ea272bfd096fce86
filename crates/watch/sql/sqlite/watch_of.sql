SELECT id, every, least, most FROM watch WHERE resource = ?1
