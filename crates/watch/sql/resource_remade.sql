UPDATE resource SET newest = $2, digest = coalesce($3, digest), media_type = coalesce($4, media_type), last_check = $5, checked_at = $6
WHERE id = $1
