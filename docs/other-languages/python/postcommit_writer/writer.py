"""The statements, and the check that there is a transaction for them."""

from typing import NamedTuple

from .event import row_of

COLUMNS = {
    "id": "uuid", "namespace": "text", "topic": "text", "tenant": "uuid", "dedupe_key": "text", "type": "text",
    "aggregate_type": "text", "aggregate_id": "text", "key": "text", "version": "int", "headers": "jsonb",
    "payload": "bytea", "due_at": "timestamptz",
}
NAMES = list(COLUMNS)

# A time that has come is null: due at once. Rows get their place in the order of delivery as they are inserted.
INSERT = f"""
  INSERT INTO postcommit_outbox ({", ".join(NAMES)})
  SELECT {", ".join(NAMES[:-1])}, NULLIF(GREATEST(due_at, now()), now())
  FROM unnest({", ".join(f"%({name})s::{kind}[]" for name, kind in COLUMNS.items())})
    WITH ORDINALITY AS e({", ".join(NAMES)}, n)
  ORDER BY n
  ON CONFLICT (namespace, topic, dedupe_key) WHERE dedupe_key IS NOT NULL DO NOTHING
  RETURNING CAST(id AS text)"""

FIND = """
  SELECT CAST(id AS text) FROM postcommit_outbox
  WHERE namespace = %(namespace)s AND topic = %(topic)s AND dedupe_key = %(dedupe_key)s"""

# The row behind a dedupe key may vanish between two looks; more often than this it does not.
TRIES = 3


class NoTransaction(Exception):
    """Nothing was written, because it would have been committed on its own."""


class Enqueued(NamedTuple):
    """What became of an event: written, or already-enqueued with the id of the row that was there first."""

    status: str
    id: str


def enqueue(transaction, **event):
    """Writes one event; its fields are in event.py."""
    return enqueue_all(transaction, [event])[0]


def enqueue_all(transaction, events):
    """Writes many events, given as dicts, with one statement in their order; the answers are in the same order.

    `transaction` is a psycopg2 connection, or a Connection or Session of SQLAlchemy.
    """
    rows = [row_of(**event) for event in events]
    query = _query_of(transaction)
    answers = {}
    left = rows
    for _ in range(TRIES):
        if not left:
            return [answers[row["id"]] for row in rows]
        for (written,) in query(INSERT, {name: [row[name] for row in left] for name in NAMES}):
            answers[written] = Enqueued("written", written)
        left = [row for row in left if row["id"] not in answers]
        for row in left:
            for (first,) in query(FIND, row):
                answers[row["id"]] = Enqueued("already-enqueued", first)
        left = [row for row in left if row["id"] not in answers]
    if left:
        raise RuntimeError(f"could not enqueue event {left[0]['id']}: rows with its dedupe key come and go; try again")
    return [answers[row["id"]] for row in rows]


def _query_of(transaction):
    """A function that runs a statement in the transaction. Whether there is one costs no round trip."""
    if hasattr(transaction, "exec_driver_sql") or hasattr(transaction, "get_bind"):
        return _sqlalchemy(transaction)
    return _psycopg2(transaction)


def _sqlalchemy(transaction):
    connection = transaction.connection() if hasattr(transaction, "get_bind") else transaction
    if not connection.in_transaction():
        raise NoTransaction("no transaction: use 'with engine.begin() as connection', or a Session")
    if connection.connection.dbapi_connection.autocommit:
        raise NoTransaction("the engine is in AUTOCOMMIT mode; use another isolation level to write events")
    return lambda sql, parameters: connection.exec_driver_sql(sql, parameters).fetchall()


def _psycopg2(connection):
    if connection.autocommit:
        raise NoTransaction("the connection is in autocommit mode; set connection.autocommit = False to write events")

    def query(sql, parameters):
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters)
            return cursor.fetchall()

    return query
