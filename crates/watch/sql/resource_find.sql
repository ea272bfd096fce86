SELECT id, url, newest, digest, asked_url, etag, last_modified, sent_length, sent_digest, record_at, record_url, record_file, record_offset,
    record_length, payload, media_type, is_large, large_head, cut_digest, last_check, checked_at
FROM resource WHERE url = $1
