SELECT count(*), coalesce(sum(outcome IN ('first', 'changed')), 0) FROM look WHERE job = ?1
