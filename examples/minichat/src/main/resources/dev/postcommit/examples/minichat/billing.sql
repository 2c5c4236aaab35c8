-- What billing keeps, in a database of its own. Nothing here but processed_events stands against charging twice.

CREATE TABLE policies (
  version bigint PRIMARY KEY
);

CREATE TABLE charges (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id     uuid   NOT NULL,
  turn_id       uuid   NOT NULL,
  credits_micro bigint NOT NULL
);

CREATE TABLE accounts (
  tenant_id    uuid   PRIMARY KEY,
  billed_micro bigint NOT NULL
);

-- The id of an event is its dedupe key.
CREATE TABLE processed_events (
  event_id     text        PRIMARY KEY,
  processed_at timestamptz NOT NULL DEFAULT now()
);
