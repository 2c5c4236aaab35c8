-- What operators did to dead events of ${table}.

CREATE TABLE ${audit} (
  id             bigint      PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  action         text        NOT NULL
                 CONSTRAINT "${name}_audit_action" CHECK (action IN ('replay', 'discard')),
  operator       text        NOT NULL,
  reason         text,
  event_id       text        NOT NULL,
  event_type     text,
  aggregate_type text,
  aggregate_id   text,
  attempts       int,
  error          text
);

CREATE INDEX "${name}_audit_event" ON ${audit} (event_id);
