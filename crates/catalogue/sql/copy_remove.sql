DELETE FROM copy WHERE file = $1
