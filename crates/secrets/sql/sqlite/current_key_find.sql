SELECT id FROM current_key
