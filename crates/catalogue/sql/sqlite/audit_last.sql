SELECT audit.id, replica.name, audit.kind, audit.state, audit.began_at, audit.ended_at, audit.reached,
    audit.files, audit.bytes, audit.missing, audit.changed, audit.resized, audit.unknown, audit.not_copied
FROM audit JOIN replica ON replica.id = audit.replica
WHERE audit.replica = ?1 ORDER BY audit.id DESC LIMIT ?2
