UPDATE resource SET newest = $2, digest = $3, asked_url = $4, etag = $5, last_modified = $6, sent_length = $7, sent_digest = $8,
    record_at = $9, record_url = $10, record_file = $11, record_offset = $12, record_length = $13, payload = $14, media_type = $15,
    is_large = $16, large_head = $17, cut_digest = $18, last_check = $19, checked_at = $20
WHERE id = $1
