UPDATE copy SET due_us = $3
WHERE replica = $1 AND state IN ('wanted', 'uploading', 'uploaded', 'failed') AND (due_us <= $2 OR due_us > $4)
