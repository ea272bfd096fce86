SELECT replica.name, tally.state, tally.files, tally.bytes
FROM tally JOIN replica ON replica.id = tally.replica
WHERE tally.files > 0 ORDER BY replica.id, tally.state
