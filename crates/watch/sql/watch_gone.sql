UPDATE watch SET is_gone = $2 WHERE id = $1 AND is_gone <> $2
