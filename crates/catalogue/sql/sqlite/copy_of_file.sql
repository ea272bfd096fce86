SELECT replica.name, copy.state, copy.found, copy.why, copy.tries, copy.due_at, copy.checked_at
FROM copy JOIN replica ON replica.id = copy.replica
WHERE copy.file = ?1 ORDER BY replica.id
