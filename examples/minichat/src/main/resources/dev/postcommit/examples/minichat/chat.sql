-- What Mini Chat keeps beside its outbox. Credits are counted in millionths.

CREATE TABLE quotas (
  tenant_id      uuid   NOT NULL,
  user_id        uuid   NOT NULL,
  limit_micro    bigint NOT NULL CHECK (limit_micro >= 0),
  reserved_micro bigint NOT NULL DEFAULT 0 CHECK (reserved_micro >= 0),
  spent_micro    bigint NOT NULL DEFAULT 0 CHECK (spent_micro >= 0),
  PRIMARY KEY (tenant_id, user_id)
);

CREATE TABLE chats (
  id         uuid        PRIMARY KEY,
  tenant_id  uuid        NOT NULL,
  user_id    uuid        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (tenant_id, user_id) REFERENCES quotas
);

CREATE TABLE turns (
  id              uuid        PRIMARY KEY,
  chat_id         uuid        NOT NULL REFERENCES chats,
  request_id      uuid        NOT NULL,
  selected_model  text        NOT NULL,
  effective_model text        NOT NULL,
  policy_version  bigint      NOT NULL,
  reserved_micro  bigint      NOT NULL,
  state           text        NOT NULL DEFAULT 'reserved'
                  CHECK (state IN ('reserved', 'completed', 'failed', 'aborted')),
  actual_micro    bigint,
  started_at      timestamptz NOT NULL DEFAULT now(),
  finalised_at    timestamptz,
  UNIQUE (chat_id, request_id),
  CHECK ((state = 'reserved') = (actual_micro IS NULL)),
  CHECK ((state = 'reserved') = (finalised_at IS NULL))
);

-- For the watchdog.
CREATE INDEX turns_open ON turns (started_at) WHERE state = 'reserved';
