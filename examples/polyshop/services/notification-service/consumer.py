"""Consumes topics named after event types: look-up, change and mark in one transaction, and the offset after it."""

import time

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.orm import Session

import log
from dead_letters import DeadLetters
from envelope import read_envelope
from models import ProcessedEvent

POLL_SECONDS = 0.2
FIRST_WAIT_SECONDS = 0.2
LONGEST_WAIT_SECONDS = 16

# Of the database: connections, resources, shutting down, transactions in each other's way; 23505: another was first.
TEMPORARY = ("08", "53", "57", "58", "40", "55P03", "25P", "25006", "23505")


class EventConsumer:
    def __init__(self, engine, brokers, service, handlers, on_handled):
        self._engine = engine
        self._handlers = handlers
        self._on_handled = on_handled
        self._letters = DeadLetters(brokers, service)
        self._attempts = {}
        self._resume_at = {}
        self._ready = False
        self._consumer = Consumer({
            "bootstrap.servers": brokers, "group.id": service, "client.id": service, "enable.auto.commit": False,
            "auto.offset.reset": "earliest", "session.timeout.ms": 10000, "log_level": 0, "error_cb": lambda _: None})

    def run(self, stop, on_ready):
        """Consumes until `stop` is set; calls `on_ready` when partitions are assigned."""

        def assigned(*_):
            # Partitions that were waiting may be another's by now.
            self._attempts.clear()
            self._resume_at.clear()
            if not self._ready:
                self._ready = True
                on_ready()

        self._consumer.subscribe(list(self._handlers), on_assign=assigned)
        try:
            while not stop.is_set():
                self._resume()
                message = self._consumer.poll(POLL_SECONDS)
                if message is not None and message.error() is None:
                    self._consume(message)
                elif message is not None and message.error().code() != KafkaError._PARTITION_EOF:
                    log.warn("Kafka could not be read; trying again", error=message.error().str())
        finally:
            self._consumer.close()

    def _consume(self, message):
        place = (message.topic(), message.partition())
        envelope = None
        try:
            envelope = read_envelope(message.value())
            self._handle(message.topic(), envelope)
        except Exception as e:
            about = {"topic": message.topic(), "partition": message.partition(), "offset": str(message.offset())}
            about.update(log.ids(envelope) if envelope else {})
            attempts = self._attempts.get(place, 0) + 1
            if is_temporary(e) or not self._buried(message, e, attempts, about):
                self._retry_later(message, place, attempts, e, about)
                return
        self._attempts.pop(place, None)
        self._commit(message)

    def _handle(self, topic, envelope):
        with Session(self._engine, future=True) as session, session.begin():
            duplicate = session.get(ProcessedEvent, envelope.event_id) is not None
            if not duplicate:
                self._handlers[topic](session, envelope)
                session.add(ProcessedEvent(
                    event_id=envelope.event_id, event_type=envelope.event_type, source=envelope.source))
        log.info("duplicate" if duplicate else "handled", **log.ids(envelope))
        self._on_handled()

    def _buried(self, message, error, attempts, about):
        try:
            self._letters.send(message, error, attempts)
            log.error("given up and sent to the dead-letter topic", error=error, **about)
            return True
        except KafkaException as e:
            log.warn("the dead-letter topic could not be written", error=e, **about)
            return False

    def _retry_later(self, message, place, attempts, error, about):
        """Goes back to the message and lets its partition rest; others go on, and the message is not lost."""
        wait = min(FIRST_WAIT_SECONDS * 2 ** (attempts - 1), LONGEST_WAIT_SECONDS)
        log.warn("could not be handled; trying again", error=error, attempt=attempts, waitSeconds=wait, **about)
        self._attempts[place] = attempts
        self._resume_at[place] = time.monotonic() + wait
        self._consumer.pause([TopicPartition(*place)])
        self._consumer.seek(TopicPartition(*place, message.offset()))

    def _resume(self):
        for place in [place for place, at in self._resume_at.items() if at <= time.monotonic()]:
            del self._resume_at[place]
            self._consumer.resume([TopicPartition(*place)])

    def _commit(self, message):
        try:
            self._consumer.commit(message=message, asynchronous=False)
        except KafkaException as e:
            # Whoever reads the message again finds it processed.
            log.warn("the offset could not be committed", error=e)


def is_temporary(error):
    """What the database finds wrong with the event is permanent, and so is what code raises."""
    if isinstance(error, DBAPIError):
        state = getattr(error.orig, "pgcode", None)
        return state.startswith(TEMPORARY) if state else isinstance(error, (OperationalError, InterfaceError))
    return False
