SELECT resource.newest, resource.last_check, (SELECT count(*) FROM news WHERE news.watch = watch.id),
    (SELECT max(at) FROM news WHERE news.watch = watch.id)
FROM watch JOIN resource ON resource.id = watch.resource WHERE watch.id = ?1
