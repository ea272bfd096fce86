DELETE FROM current_key
