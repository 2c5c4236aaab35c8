CREATE TABLE IF NOT EXISTS orders (
  id              uuid           PRIMARY KEY,
  user_id         uuid           NOT NULL,
  total_amount    numeric(12, 2) NOT NULL,
  currency        text           NOT NULL,
  status          text           NOT NULL
                  CHECK (status IN ('CREATED', 'PENDING_PAYMENT', 'PAID', 'CANCELLED', 'FULFILLED')),
  idempotency_key text           UNIQUE,
  created_at      timestamptz    NOT NULL
);

CREATE TABLE IF NOT EXISTS order_items (
  order_id    uuid           NOT NULL REFERENCES orders,
  product_id  uuid           NOT NULL,
  variant_id  uuid,
  quantity    int            NOT NULL CHECK (quantity > 0),
  unit_price  numeric(12, 2) NOT NULL,
  total_price numeric(12, 2) NOT NULL
);

CREATE INDEX IF NOT EXISTS order_items_order ON order_items (order_id);
