"""PolyShop's notification-service: mails confirmations, receipts and welcomes, and publishes that it did through an outbox.

Needs DATABASE_URL (a database with the tables outbox_events, layout polyshop, and processed_events), KAFKA_BOOTSTRAP_SERVERS
and SERVICE_NAME. Ends on SIGTERM.
"""

import os
import signal
import sys
import threading

from sqlalchemy import create_engine

import email_service
import log
from consumer import EventConsumer
from models import create_tables
from outbox_worker import OutboxWorker


def required(name):
    value = os.environ.get(name)
    if not value:
        sys.exit(f"notification-service: {name} is not set")
    return value


def main():
    service = required("SERVICE_NAME")
    brokers = required("KAFKA_BOOTSTRAP_SERVERS")
    engine = create_engine(required("DATABASE_URL"), future=True, pool_pre_ping=True,
                           connect_args={"application_name": service})
    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    try:
        create_tables(engine)
    except Exception as e:
        log.error("could not start", error=e)
        sys.exit(1)
    worker = OutboxWorker(engine, brokers, service, stop)
    worker.start()
    consumer = EventConsumer(engine, brokers, service, email_service.HANDLERS, worker.wake)
    try:
        consumer.run(stop, lambda: print(f"{service} ready", flush=True))
    finally:
        stop.set()
        worker.wake()
        worker.join()


main()
