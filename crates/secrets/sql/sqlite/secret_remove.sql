DELETE FROM secret WHERE origin = ?1
