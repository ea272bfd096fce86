-- Contracts what version 4 expanded: times are no texts any more.

DROP INDEX copy_due;
DROP INDEX copy_checked;
DROP TRIGGER file_added;
DROP TRIGGER file_changed;
DROP TRIGGER file_removed;

ALTER TABLE file DROP COLUMN added_at;
ALTER TABLE file DROP COLUMN accepted_at;
ALTER TABLE replica DROP COLUMN added_at;
ALTER TABLE copy DROP COLUMN due_at;
ALTER TABLE copy DROP COLUMN checked_at;
ALTER TABLE audit DROP COLUMN began_at;
ALTER TABLE audit DROP COLUMN ended_at;
ALTER TABLE event DROP COLUMN at;

CREATE INDEX copy_due ON copy (replica, due_us) WHERE state IN ('wanted', 'uploading', 'uploaded', 'failed');
CREATE INDEX copy_checked ON copy (replica, checked_us, file) WHERE state = 'verified';

CREATE TRIGGER file_added AFTER INSERT ON file BEGIN
    UPDATE total SET files = files + 1, bytes = bytes + new.bytes, accepted = accepted + (new.accepted_us IS NOT NULL);
END;

CREATE TRIGGER file_changed AFTER UPDATE ON file BEGIN
    UPDATE total SET bytes = bytes - old.bytes + new.bytes,
        accepted = accepted - (old.accepted_us IS NOT NULL) + (new.accepted_us IS NOT NULL);
END;

CREATE TRIGGER file_removed AFTER DELETE ON file BEGIN
    UPDATE total SET files = files - 1, bytes = bytes - old.bytes, accepted = accepted - (old.accepted_us IS NOT NULL);
END;

PRAGMA user_version = 5;
