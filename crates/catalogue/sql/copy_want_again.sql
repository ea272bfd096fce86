UPDATE copy SET state = 'wanted', found = NULL, why = NULL, tries = 0, due_us = $2 WHERE file = $1
