-- All files together, counted as they change: a million rows take too long to be counted whenever somebody asks.

CREATE TABLE total (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    files    INTEGER NOT NULL,
    bytes    INTEGER NOT NULL,
    accepted INTEGER NOT NULL
) STRICT;

INSERT INTO total SELECT 1, count(*), coalesce(sum(bytes), 0), count(accepted_at) FROM file;

CREATE TRIGGER file_added AFTER INSERT ON file BEGIN
    UPDATE total SET files = files + 1, bytes = bytes + new.bytes, accepted = accepted + (new.accepted_at IS NOT NULL);
END;

CREATE TRIGGER file_changed AFTER UPDATE ON file BEGIN
    UPDATE total SET bytes = bytes - old.bytes + new.bytes,
        accepted = accepted - (old.accepted_at IS NOT NULL) + (new.accepted_at IS NOT NULL);
END;

CREATE TRIGGER file_removed AFTER DELETE ON file BEGIN
    UPDATE total SET files = files - 1, bytes = bytes - old.bytes, accepted = accepted - (old.accepted_at IS NOT NULL);
END;

-- A file whose recorded length is put right counts in its copies by its new one.
CREATE TRIGGER file_resized AFTER UPDATE OF bytes ON file WHEN old.bytes <> new.bytes BEGIN
    UPDATE tally SET bytes = bytes - old.bytes + new.bytes
    WHERE EXISTS (SELECT 1 FROM copy WHERE copy.file = new.id AND copy.replica = tally.replica AND copy.state = tally.state);
END;

PRAGMA user_version = 2;
