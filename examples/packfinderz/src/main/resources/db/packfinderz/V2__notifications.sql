CREATE TYPE notification_type AS ENUM
  ('system_announcement', 'market_update', 'security_alert', 'order_alert', 'compliance');

CREATE TABLE notifications (
  id         uuid              PRIMARY KEY,
  store_id   uuid              NOT NULL,
  type       notification_type NOT NULL,
  title      text              NOT NULL,
  message    text              NOT NULL,
  link       text              NULL,
  read_at    timestamptz       NULL,
  created_at timestamptz       NOT NULL DEFAULT now()
);

CREATE INDEX notifications_store ON notifications (store_id, created_at);
