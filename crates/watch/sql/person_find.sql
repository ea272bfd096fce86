SELECT id, name FROM person WHERE name = $1
