"""Publishes the rows of outbox_events, in their order, one worker at a time."""

import threading
import uuid

from confluent_kafka import KafkaError, KafkaException, Producer
from sqlalchemy import text, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.orm import Session
from sqlalchemy.sql import func

import log
from envelope import write_envelope
from models import OutboxEvent, OutboxFailure

BATCH_SIZE = 100
IDLE_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 10
SEND_SECONDS = 10
MAX_ERROR = 1024

# Answers of the broker that concern one message for good. All others may pass.
PERMANENT = {KafkaError.MSG_SIZE_TOO_LARGE, KafkaError.TOPIC_EXCEPTION, KafkaError.RECORD_LIST_TOO_LARGE,
             KafkaError.INVALID_RECORD}

# The turn at the table until the end of the transaction, which the server ends itself if it is left alone for too long. It is
# the lock that a relay of Postcommit would take, too.
TAKE_TURN = text("""
  SELECT pg_try_advisory_xact_lock(1886352244, CAST(CAST(CAST('outbox_events' AS regclass) AS oid) AS int)),
    set_config('idle_in_transaction_session_timeout', '60s', true)""")

# The oldest rows that are neither processed nor given up.
CLAIM = text("""
  SELECT CAST(o.id AS text) AS id, o.aggregate_id, o.event_type, o.version, CAST(o.payload AS text) AS payload,
    to_char(o.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at,
    coalesce(h.headers, '{}') AS headers
  FROM outbox_events o LEFT JOIN outbox_events_header h ON h.id = o.id
  WHERE o.processed IS NOT TRUE
    AND NOT EXISTS (SELECT FROM outbox_events_failure f WHERE f.id = o.id AND f.dead_at IS NOT NULL)
  ORDER BY o.created_at, o.id LIMIT :limit
  FOR UPDATE OF o SKIP LOCKED""").columns(headers=JSONB)


class OutboxWorker(threading.Thread):
    def __init__(self, engine, brokers, source, stop):
        super().__init__(name="outbox-worker")
        self._engine = engine
        self._brokers = brokers
        self._source = source
        self._stop_asked = stop
        self._woken = threading.Event()
        self._producer = None

    def wake(self):
        """Ends the wait for new rows."""
        self._woken.set()

    def run(self):
        failures = 0
        while not self._stop_asked.is_set():
            wait = IDLE_SECONDS
            try:
                self._woken.clear()
                wait = 0 if self._publish_batch() == BATCH_SIZE else IDLE_SECONDS
                failures = 0
            except Exception as e:
                wait = min(IDLE_SECONDS * 2**failures, LONGEST_WAIT_SECONDS)
                failures += 1
                log.warn("the outbox could not be published; trying again", error=e, waitSeconds=wait)
            if not self._stop_asked.is_set():
                self._woken.wait(wait)

    def _publish_batch(self):
        """Holds the rows locked until the broker has answered for each: what is marked has arrived."""
        with Session(self._engine, future=True) as session, session.begin():
            if not session.execute(TAKE_TURN).scalar():
                return 0
            rows = session.execute(CLAIM, {"limit": BATCH_SIZE}).all()
            sent, failure = [], None
            for row in rows:
                failure = self._publish(session, row, sent)
                if failure:
                    break
            if sent:
                session.execute(
                    update(OutboxEvent).where(OutboxEvent.id.in_(sent))
                    .values(processed=True, processed_at=func.clock_timestamp(), error_message=None)
                    .execution_options(synchronize_session=False))
        if failure:
            raise failure
        return len(rows)

    def _publish(self, session, row, sent):
        """Sends one row; the error, if it has to wait."""
        ids = {"eventId": row.id, "eventType": row.event_type, "traceId": row.headers.get("traceId", row.id)}
        error = self._send(row)
        if error is None:
            sent.append(uuid.UUID(row.id))
            log.info("published", **ids)
            return None
        # What it still holds must not be sent behind our back.
        self._producer = None
        self._store_error(session, row, error)
        if error.code() in PERMANENT:
            log.error("given up: the broker refused the event", **ids, error=error.str())
            self._give_up(session, row, error)
            return None
        return KafkaException(error)

    def _send(self, row):
        answers = []
        headers = {**row.headers, "event_id": row.id, "event_type": row.event_type, "aggregate_id": row.aggregate_id,
                   "created_at": row.created_at}
        try:
            producer = self._connected()
            producer.produce(row.event_type, key=row.aggregate_id, value=write_envelope(row, self._source),
                             headers=headers, on_delivery=lambda error, _: answers.append(error))
            producer.flush()
        except KafkaException as e:
            return e.args[0]
        return answers[0]

    def _connected(self):
        if self._producer is None:
            self._producer = Producer({
                "bootstrap.servers": self._brokers, "client.id": self._source, "enable.idempotence": True, "acks": "all",
                "linger.ms": 0, "partitioner": "murmur2_random", "delivery.timeout.ms": SEND_SECONDS * 1000,
                "log_level": 0, "error_cb": lambda _: None})
        return self._producer

    @staticmethod
    def _store_error(session, row, error):
        session.execute(
            update(OutboxEvent).where(OutboxEvent.id == uuid.UUID(row.id)).values(error_message=error.str()[:MAX_ERROR])
            .execution_options(synchronize_session=False))

    @staticmethod
    def _give_up(session, row, error):
        dead = {"dead_at": func.clock_timestamp(), "due_at": None, "error": error.str()[:MAX_ERROR]}
        session.execute(
            insert(OutboxFailure).values(id=uuid.UUID(row.id), key=row.aggregate_id, attempts=1, **dead)
            .on_conflict_do_update(index_elements=["id"], set_=dead))
