SELECT watch.id, watch.resource, resource.url, watch.rules, watch.notify, watch.judged, watch.told, resource.newest, watch.missed,
    watch.is_gone, watch.large, watch.calm, watch.every, watch.least, watch.most, resource.last_check, resource.checked_at, watch.gone_after
FROM watch JOIN resource ON resource.id = watch.resource
WHERE ($1 IS NULL OR watch.resource = $1) AND watch.id > $2 AND (
    (watch.judged > 0 AND watch.judged < resource.newest)
    OR watch.large IS NOT NULL
    OR (watch.is_gone = 0 AND watch.gone_after > 0 AND watch.missed >= watch.gone_after)
    OR (watch.is_gone = 1 AND watch.missed = 0))
ORDER BY watch.id LIMIT $3
