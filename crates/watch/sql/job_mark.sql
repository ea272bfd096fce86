UPDATE job SET mark = $2 WHERE id = $1
