SELECT watch.id, person.name AS owner, resource.url, watch.every, watch.least, watch.most, watch.head_first, watch.force, watch.rules, watch.notify,
    watch.is_paused, watch.due_at, watch.added_at, watch.title, watch.tags, watch.notes, watch.gone_after
FROM watch JOIN person ON person.id = watch.owner JOIN resource ON resource.id = watch.resource
WHERE watch.id > $1 AND ($2 IS NULL OR person.name = $2)
    AND ($3 IS NULL OR instr(lower(resource.url || char(10) || watch.title || char(10) || watch.tags), lower($3)) > 0)
ORDER BY watch.id LIMIT $4
