UPDATE post SET message = ?1 WHERE id IN (
    SELECT post.id FROM post JOIN news ON news.id = post.news JOIN watch ON watch.id = news.watch
    WHERE post.sent_at IS NULL AND post.is_given_up = 0 AND post.message IS NULL AND post.address = ?2 AND watch.owner = ?3
        AND (post.due_at <= ?4 OR (?5 AND post.is_digest))
    ORDER BY post.id LIMIT ?6)
