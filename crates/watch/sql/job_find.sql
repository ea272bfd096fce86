SELECT committed_at FROM job WHERE id = $1
