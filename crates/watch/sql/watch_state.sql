SELECT resource.newest, resource.last_check, (SELECT count(*) FROM news WHERE news.watch = watch.id) AS news,
    (SELECT max(at) FROM news WHERE news.watch = watch.id) AS last_news
FROM watch JOIN resource ON resource.id = watch.resource WHERE watch.id = $1
