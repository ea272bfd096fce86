SELECT name, kind FROM replica ORDER BY id
