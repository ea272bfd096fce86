SELECT watch.id, person.name AS owner, resource.url, watch.every, watch.least, watch.most, watch.head_first, watch.force, watch.rules, watch.notify,
    watch.is_paused, watch.due_at, watch.added_at, watch.title, watch.tags, watch.notes, watch.gone_after
FROM watch JOIN person ON person.id = watch.owner JOIN resource ON resource.id = watch.resource
WHERE watch.is_paused = 0 AND watch.due_at <= $1 AND (watch.due_at, watch.id) > ($2, $3) ORDER BY watch.due_at, watch.id LIMIT $4
