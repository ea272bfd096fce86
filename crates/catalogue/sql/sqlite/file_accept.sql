UPDATE file SET accepted_at = ?2
WHERE id = ?1 AND accepted_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM copy WHERE file = ?1 AND state <> 'verified')
