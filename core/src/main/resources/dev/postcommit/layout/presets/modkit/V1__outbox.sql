-- The modkit outbox table. ${table} is the quoted name, ${name} is the bare table name.

CREATE TABLE ${table} (
  id              uuid        PRIMARY KEY,
  namespace       text        NOT NULL,
  topic           text        NOT NULL,
  tenant_id       uuid,
  dedupe_key      text,
  payload         jsonb       NOT NULL,
  status          text        NOT NULL
                  CONSTRAINT "${name}_status" CHECK (status IN ('pending', 'processing', 'delivered', 'dead')),
  attempts        int         NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  locked_by       uuid,
  locked_until    timestamptz,
  last_error      text,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

CREATE INDEX "${name}_status_next_attempt_at" ON ${table} (status, next_attempt_at);
CREATE INDEX "${name}_locked_until" ON ${table} (locked_until);
CREATE UNIQUE INDEX "${name}_dedupe" ON ${table} (namespace, topic, dedupe_key)
  WHERE dedupe_key IS NOT NULL;

-- Claims read these rows in this order: those that nobody has tried yet.
CREATE INDEX "${name}_fresh" ON ${table} (created_at, id)
  WHERE CASE WHEN status = 'pending' AND attempts = 0 AND last_error IS NULL THEN true ELSE false END;
-- Those that were tried hold back later ones of their key while they wait, and are due again in time. The conditions are
-- said in this way so that no other index can stand in for these, whatever the statistics say.
CREATE INDEX "${name}_tried" ON ${table} (tenant_id, created_at, id)
  WHERE CASE WHEN status = 'pending' AND (attempts > 0 OR last_error IS NOT NULL) THEN true ELSE false END;
CREATE INDEX "${name}_again" ON ${table} (next_attempt_at)
  WHERE CASE WHEN status = 'pending' AND (attempts > 0 OR last_error IS NOT NULL) THEN true ELSE false END;
-- The oldest of these, and the first of those that wait for a topic.
CREATE INDEX "${name}_deferred" ON ${table} (created_at, id)
  WHERE status = 'pending' AND (attempts > 0 OR last_error IS NOT NULL);

-- Where many settled rows cannot be cleaned up, claims look for those in processing from a time on.
CREATE INDEX "${name}_processing" ON ${table} (created_at) WHERE status = 'processing';
