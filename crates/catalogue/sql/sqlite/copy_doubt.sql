UPDATE copy SET checked_at = '' WHERE replica = ?1 AND state = 'verified' AND checked_at > ?2
