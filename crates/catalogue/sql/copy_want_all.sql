INSERT INTO copy (file, replica, state, due_us)
SELECT id, $1, 'wanted', $2 FROM file WHERE true
ON CONFLICT DO NOTHING
