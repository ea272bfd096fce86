SELECT replica.name AS replica, copy.state, copy.found, copy.why, copy.tries, copy.due_us, copy.checked_us
FROM copy JOIN replica ON replica.id = copy.replica
WHERE copy.file = $1 ORDER BY replica.id
