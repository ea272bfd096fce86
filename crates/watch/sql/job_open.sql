SELECT id, name, began_at, mark FROM job WHERE committed_at IS NULL ORDER BY id
