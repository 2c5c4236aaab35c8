-- Logistik's outbox table. ${table} is the quoted name.

CREATE TABLE ${table} (
  id              uuid         CONSTRAINT pk_outbox_id PRIMARY KEY,
  aggregate_type  varchar(50)  NOT NULL,
  aggregate_id    uuid         NOT NULL,
  event_type      varchar(100) NOT NULL,
  payload         jsonb        NOT NULL,
  occurred_at     timestamptz  DEFAULT now(),
  status          varchar(20)  DEFAULT 'PENDING',
  retry_count     int          DEFAULT 0,
  next_attempt_at timestamptz  DEFAULT now(),
  last_error      text,
  processed_at    timestamptz
);

CREATE INDEX idx_outbox_poll ON ${table} (status, next_attempt_at ASC);
CREATE INDEX idx_outbox_aggregate ON ${table} (aggregate_type, aggregate_id);

-- For relays that list what was written in the last moments while many older rows wait. The second condition is said in
-- this way so that no other index can stand in for it, whatever the statistics say.
CREATE INDEX "${name}_recent" ON ${table} (occurred_at, id) WHERE status = 'PENDING';
CREATE INDEX "${name}_pending_key" ON ${table} (aggregate_id, occurred_at, id)
  WHERE CASE WHEN status = 'PENDING' THEN true ELSE false END;
