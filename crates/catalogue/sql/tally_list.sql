SELECT replica.name AS replica, tally.state, tally.files, tally.bytes
FROM tally JOIN replica ON replica.id = tally.replica
WHERE tally.files > 0 ORDER BY replica.id, tally.state
