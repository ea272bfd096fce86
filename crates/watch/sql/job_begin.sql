INSERT INTO job (name, began_at) VALUES ($1, $2) RETURNING id
