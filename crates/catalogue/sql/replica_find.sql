SELECT id, kind FROM replica WHERE name = $1
