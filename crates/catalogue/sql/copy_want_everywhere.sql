INSERT INTO copy (file, replica, state, due_us)
SELECT $1, id, 'wanted', $2 FROM replica WHERE true
ON CONFLICT DO NOTHING
