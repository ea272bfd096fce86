UPDATE copy SET state = $4, found = $5, why = $6, tries = $7, due_us = $8, checked_us = $9
WHERE file = $1 AND replica = $2 AND state = $3
