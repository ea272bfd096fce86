SELECT count(*), coalesce(sum(bytes), 0), count(accepted_at) FROM file
