UPDATE job SET committed_at = $2 WHERE id = $1
