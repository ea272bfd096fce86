UPDATE job SET watches = $2 WHERE id = $1
