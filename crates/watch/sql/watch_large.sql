UPDATE watch SET large = NULL WHERE id = $1 AND large = $2
