SELECT audit.id, replica.name AS replica, audit.kind, audit.state, audit.began_us, audit.ended_us, audit.reached,
    audit.files, audit.bytes, audit.missing, audit.changed, audit.resized, audit.unknown, audit.not_copied
FROM audit JOIN replica ON replica.id = audit.replica
WHERE audit.replica = $1 AND audit.kind = $2 ORDER BY audit.id DESC LIMIT 1
