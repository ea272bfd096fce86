SELECT post.address, post.tries, post.due_at, post.why, post.is_given_up FROM post JOIN news ON news.id = post.news
WHERE news.watch = $1 AND post.sent_at IS NULL ORDER BY post.id DESC LIMIT $2
