SELECT watch.id, person.name AS owner, resource.url, watch.every, watch.least, watch.most, watch.head_first, watch.force, watch.rules, watch.notify,
    watch.is_paused, watch.due_at, watch.added_at, watch.title, watch.tags, watch.notes, watch.gone_after
FROM resource JOIN watch ON watch.resource = resource.id JOIN person ON person.id = watch.owner
WHERE resource.url = $1 AND ($2 IS NULL OR person.name = $2)
ORDER BY watch.id LIMIT $3
