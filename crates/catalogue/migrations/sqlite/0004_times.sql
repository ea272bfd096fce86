-- Times become whole numbers: microseconds since 1970 in UTC. The texts stay until version 5.

ALTER TABLE file ADD COLUMN added_us INTEGER NOT NULL DEFAULT 0;
ALTER TABLE file ADD COLUMN accepted_us INTEGER;
ALTER TABLE replica ADD COLUMN added_us INTEGER NOT NULL DEFAULT 0;
ALTER TABLE copy ADD COLUMN due_us INTEGER NOT NULL DEFAULT 0;
-- 0 where nobody has found it sound yet.
ALTER TABLE copy ADD COLUMN checked_us INTEGER NOT NULL DEFAULT 0;
ALTER TABLE audit ADD COLUMN began_us INTEGER NOT NULL DEFAULT 0;
ALTER TABLE audit ADD COLUMN ended_us INTEGER;
ALTER TABLE event ADD COLUMN at_us INTEGER NOT NULL DEFAULT 0;

-- A text is `2026-11-18T08:00:00.123Z`: the milliseconds are the three digits behind the 20th character.
UPDATE file SET added_us = coalesce(unixepoch(added_at), 0) * 1000000 + CAST(substr(added_at, 21, 3) AS INTEGER) * 1000,
    accepted_us = unixepoch(accepted_at) * 1000000 + CAST(substr(accepted_at, 21, 3) AS INTEGER) * 1000;
UPDATE replica SET added_us = coalesce(unixepoch(added_at), 0) * 1000000 + CAST(substr(added_at, 21, 3) AS INTEGER) * 1000;
UPDATE copy SET due_us = coalesce(unixepoch(due_at), 0) * 1000000 + CAST(substr(due_at, 21, 3) AS INTEGER) * 1000,
    checked_us = coalesce(unixepoch(checked_at), 0) * 1000000 + CAST(substr(checked_at, 21, 3) AS INTEGER) * 1000;
UPDATE audit SET began_us = coalesce(unixepoch(began_at), 0) * 1000000 + CAST(substr(began_at, 21, 3) AS INTEGER) * 1000,
    ended_us = unixepoch(ended_at) * 1000000 + CAST(substr(ended_at, 21, 3) AS INTEGER) * 1000;

-- The same time in another form: the hashes are made of the text, as before.
DROP TRIGGER event_kept;
UPDATE event SET at_us = coalesce(unixepoch(at), 0) * 1000000 + CAST(substr(at, 21, 3) AS INTEGER) * 1000;
CREATE TRIGGER event_kept BEFORE UPDATE ON event BEGIN
    SELECT RAISE(ABORT, 'events are never changed');
END;

PRAGMA user_version = 4;
