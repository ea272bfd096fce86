DELETE FROM replica WHERE name = $1
