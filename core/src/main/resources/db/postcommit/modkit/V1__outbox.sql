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

-- Claims read the undelivered rows in this order.
CREATE INDEX "${name}_undelivered" ON ${table} (created_at, id)
  WHERE status IN ('pending', 'processing');
