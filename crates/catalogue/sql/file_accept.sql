UPDATE file SET accepted_us = $2
WHERE id = $1 AND accepted_us IS NULL
  AND NOT EXISTS (SELECT 1 FROM copy WHERE file = $1 AND state <> 'verified')
