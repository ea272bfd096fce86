UPDATE copy SET due_at = ?3
WHERE replica = ?1 AND state IN ('wanted', 'uploading', 'uploaded', 'failed') AND (due_at <= ?2 OR due_at > ?4)
