INSERT INTO current_key (id) VALUES (?1)
