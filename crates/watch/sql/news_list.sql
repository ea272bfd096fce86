SELECT news.id, news.watch, person.name AS owner, resource.url, watch.title, news.kind, news.at, news.before, news.after, news.summary, news.text, news.html,
    (SELECT at FROM version WHERE version.resource = watch.resource AND version.number = news.before) AS before_at,
    (SELECT at FROM version WHERE version.resource = watch.resource AND version.number = news.after) AS after_at
FROM news JOIN watch ON watch.id = news.watch JOIN person ON person.id = watch.owner JOIN resource ON resource.id = watch.resource
WHERE news.id < $1 AND ($2 IS NULL OR news.watch = $2) AND ($3 IS NULL OR person.name = $3) ORDER BY news.id DESC LIMIT $4
