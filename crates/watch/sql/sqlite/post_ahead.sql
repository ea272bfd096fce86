SELECT post.id
FROM post JOIN news ON news.id = post.news JOIN watch ON watch.id = news.watch
WHERE post.sent_at IS NULL AND post.is_given_up = 0 AND post.due_at > $1 + $2
    -- Quiet hours and e-mail digests are waited for longer than a retry.
    AND post.due_at > $1 + CASE WHEN NOT json_valid(watch.notify) THEN 0 ELSE max(
        CASE WHEN json_extract(watch.notify, '$.quiet') IS NULL THEN 0 ELSE $3 END,
        CASE WHEN post.is_digest THEN coalesce(json_extract(watch.notify, '$.digest_s'), 0) * 1000 ELSE 0 END
    ) END
LIMIT $4
