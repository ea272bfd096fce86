UPDATE file SET accepted_us = $1
WHERE accepted_us IS NULL AND NOT EXISTS (SELECT 1 FROM copy WHERE file = file.id AND state <> 'verified')
