CREATE TABLE IF NOT EXISTS stock (
  product_id uuid PRIMARY KEY,
  available  int  NOT NULL CHECK (available >= 0),
  reserved   int  NOT NULL CHECK (reserved >= 0)
);

CREATE TABLE IF NOT EXISTS reservations (
  id         uuid PRIMARY KEY,
  order_id   uuid NOT NULL,
  product_id uuid NOT NULL REFERENCES stock,
  variant_id uuid,
  quantity   int  NOT NULL CHECK (quantity > 0),
  status     text NOT NULL CHECK (status IN ('RESERVED', 'RELEASED', 'CONFIRMED'))
);

CREATE INDEX IF NOT EXISTS reservations_order ON reservations (order_id);

CREATE TABLE IF NOT EXISTS cancelled_orders (
  order_id uuid PRIMARY KEY
);
