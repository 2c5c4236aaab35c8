CREATE TABLE licenses (
  id         uuid        PRIMARY KEY,
  store_id   uuid        NOT NULL,
  status     text        NOT NULL CHECK (status IN ('pending', 'verified', 'rejected', 'expired')),
  reason     text        NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
