-- The files that are kept, the replicas that keep them, and how it stands with each of both.

CREATE TABLE file (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    bytes       INTEGER NOT NULL CHECK (bytes >= 0),
    sha256      TEXT NOT NULL CHECK (length(sha256) = 64),
    added_at    TEXT NOT NULL,
    accepted_at TEXT
) STRICT;

CREATE TABLE replica (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    kind     TEXT NOT NULL CHECK (kind IN ('folder', 'bucket', 'checksums')),
    added_at TEXT NOT NULL
) STRICT;

CREATE TABLE copy (
    file       INTEGER NOT NULL REFERENCES file (id),
    replica    INTEGER NOT NULL REFERENCES replica (id) ON DELETE CASCADE,
    state      TEXT NOT NULL CHECK (state IN ('wanted', 'uploading', 'uploaded', 'verified', 'failed', 'missing', 'changed')),
    -- What an audit found, where that is not what it should be.
    found      TEXT,
    why        TEXT,
    tries      INTEGER NOT NULL DEFAULT 0,
    due_at     TEXT NOT NULL,
    checked_at TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (file, replica)
) STRICT, WITHOUT ROWID;

-- What is to be brought to a replica, the longest due first.
CREATE INDEX copy_due ON copy (replica, due_at) WHERE state IN ('wanted', 'uploading', 'uploaded', 'failed');
-- What is to be audited next, the longest unchecked first.
CREATE INDEX copy_checked ON copy (replica, checked_at, file) WHERE state = 'verified';
-- What is wrong.
CREATE INDEX copy_bad ON copy (replica, state, file) WHERE state IN ('failed', 'missing', 'changed');

-- Counted as it changes, so that nobody has to count a million rows to say how things stand.
CREATE TABLE tally (
    replica INTEGER NOT NULL REFERENCES replica (id) ON DELETE CASCADE,
    state   TEXT NOT NULL,
    files   INTEGER NOT NULL DEFAULT 0,
    bytes   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (replica, state)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER copy_added AFTER INSERT ON copy BEGIN
    INSERT INTO tally (replica, state, files, bytes)
    VALUES (new.replica, new.state, 1, (SELECT bytes FROM file WHERE id = new.file))
    ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER copy_moved AFTER UPDATE OF state ON copy WHEN old.state <> new.state BEGIN
    UPDATE tally SET files = files - 1, bytes = bytes - (SELECT bytes FROM file WHERE id = old.file)
    WHERE replica = old.replica AND state = old.state;
    INSERT INTO tally (replica, state, files, bytes)
    VALUES (new.replica, new.state, 1, (SELECT bytes FROM file WHERE id = new.file))
    ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER copy_removed BEFORE DELETE ON copy BEGIN
    UPDATE tally SET files = files - 1, bytes = bytes - (SELECT bytes FROM file WHERE id = old.file)
    WHERE replica = old.replica AND state = old.state;
END;

CREATE TABLE audit (
    id       INTEGER PRIMARY KEY,
    replica  INTEGER NOT NULL REFERENCES replica (id) ON DELETE CASCADE,
    kind     TEXT NOT NULL CHECK (kind IN ('presence', 'checksum')),
    state    TEXT NOT NULL CHECK (state IN ('running', 'paused', 'done', 'failed')),
    began_at TEXT NOT NULL,
    ended_at TEXT,
    -- The last name that was looked at: where it goes on.
    reached  TEXT NOT NULL DEFAULT '',
    files    INTEGER NOT NULL DEFAULT 0,
    bytes    INTEGER NOT NULL DEFAULT 0,
    missing  INTEGER NOT NULL DEFAULT 0,
    changed  INTEGER NOT NULL DEFAULT 0,
    resized  INTEGER NOT NULL DEFAULT 0,
    unknown  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX audit_of ON audit (replica, kind, id);

-- Only ever appended to; each row has the hash of the one before it in its own.
CREATE TABLE event (
    number  INTEGER PRIMARY KEY,
    at      TEXT NOT NULL,
    kind    TEXT NOT NULL,
    file    TEXT NOT NULL,
    replica TEXT NOT NULL,
    who     TEXT NOT NULL,
    what    TEXT NOT NULL,
    hash    BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE INDEX event_of_file ON event (file, number);

CREATE TRIGGER event_kept BEFORE UPDATE ON event BEGIN
    SELECT RAISE(ABORT, 'events are never changed');
END;

CREATE TRIGGER event_stays BEFORE DELETE ON event BEGIN
    SELECT RAISE(ABORT, 'events are never removed');
END;

PRAGMA user_version = 1;
