-- For those who count dead and waiting events, however many others failed.

CREATE INDEX ON ${failures} (dead_at) WHERE dead_at IS NOT NULL;
CREATE INDEX ON ${failures} (due_at) WHERE due_at IS NOT NULL;
-- For those who look up whether an event of a key waits.
CREATE INDEX ON ${failures} (key) WHERE due_at IS NOT NULL;
