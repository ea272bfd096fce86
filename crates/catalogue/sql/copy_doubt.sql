UPDATE copy SET checked_us = 0 WHERE replica = $1 AND state = 'verified' AND checked_us > $2
