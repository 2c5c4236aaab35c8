"""Writes events into the table postcommit_outbox in the caller's own transaction; a relay delivers them after commit.

    with connection:                      # psycopg2, or: with Session(engine) as session, session.begin():
        cursor.execute("INSERT INTO orders ...")
        enqueue(connection, type="order.placed", aggregate_id=order_id, payload={"total": 100})
"""

from .event import InvalidEvent
from .writer import Enqueued, NoTransaction, enqueue, enqueue_all

__all__ = ["Enqueued", "InvalidEvent", "NoTransaction", "enqueue", "enqueue_all"]
