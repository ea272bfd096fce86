UPDATE file SET accepted_at = ?1
WHERE accepted_at IS NULL AND NOT EXISTS (SELECT 1 FROM copy WHERE file = file.id AND state <> 'verified')
