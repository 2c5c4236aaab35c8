CREATE TABLE IF NOT EXISTS orders (id uuid PRIMARY KEY, customer text NOT NULL, total int NOT NULL CHECK (total > 0));
