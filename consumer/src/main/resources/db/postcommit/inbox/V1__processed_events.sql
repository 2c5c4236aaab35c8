-- Events that one consumer has handled. ${table} is the quoted name, ${name} is the bare table name.

CREATE TABLE ${table} (
  event_id     uuid        PRIMARY KEY,
  processed_at timestamptz NOT NULL DEFAULT now(),
  event_type   text,
  source       text
);

-- For pruning.
CREATE INDEX "${name}_processed_at" ON ${table} (processed_at);
