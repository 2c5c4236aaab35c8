CREATE TABLE IF NOT EXISTS product_index (
  product_id uuid           PRIMARY KEY,
  name       text           NOT NULL,
  price      numeric(12, 2) NOT NULL
);
