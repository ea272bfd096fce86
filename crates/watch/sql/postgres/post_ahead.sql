SELECT post.id
FROM post JOIN news ON news.id = post.news JOIN watch ON watch.id = news.watch
WHERE post.sent_at IS NULL AND post.is_given_up = 0 AND post.due_at > $1 + $2
    -- Quiet hours and e-mail digests are waited for longer than a retry. What is no JSON has neither.
    AND post.due_at > $1 + greatest(
        CASE WHEN json_or_null(watch.notify) ->> 'quiet' IS NULL THEN 0 ELSE $3 END,
        CASE WHEN post.is_digest = 1 THEN coalesce((json_or_null(watch.notify) ->> 'digest_s')::bigint, 0) * 1000 ELSE 0 END
    )
LIMIT $4
