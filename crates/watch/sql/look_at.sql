SELECT look.id, resource.url, look.at, look.outcome, look.status, look.final_url, look.redirects, look.digest, look.length, look.version,
    look.took_ms, look.why, look.faults, look.head
FROM look JOIN resource ON resource.id = look.resource
WHERE look.resource = $1 AND look.at <= $2 ORDER BY look.at DESC, look.id DESC LIMIT 1
