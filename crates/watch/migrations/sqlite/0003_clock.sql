-- Finds the watches that are due later than their interval allows: a clock that was ahead has set their time.
CREATE INDEX watch_ahead ON watch (due_at - every * 1000) WHERE is_paused = 0;

PRAGMA user_version = 3;
