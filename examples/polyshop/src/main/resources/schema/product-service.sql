CREATE TABLE IF NOT EXISTS products (
  id          uuid           PRIMARY KEY,
  name        text           NOT NULL UNIQUE,
  price       numeric(12, 2) NOT NULL,
  category_id uuid           NOT NULL,
  created_at  timestamptz    NOT NULL
);
