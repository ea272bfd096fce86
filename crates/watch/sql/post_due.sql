SELECT post.id, post.address, watch.owner, post.is_digest, post.message, post.tries, watch.notify, post.due_at
FROM post JOIN news ON news.id = post.news JOIN watch ON watch.id = news.watch
WHERE post.sent_at IS NULL AND post.is_given_up = 0 AND post.due_at <= $1 ORDER BY post.due_at, post.id LIMIT $2
