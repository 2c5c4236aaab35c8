"""The tables: those of the domain, which are made here, and those of migrations, which have to be there."""

import uuid

from sqlalchemy import Boolean, Column, DateTime, Integer, Text, func, inspect
from sqlalchemy.dialects.postgresql import JSONB, UUID
from sqlalchemy.orm import declarative_base

Base = declarative_base()
Migrated = declarative_base()


class EmailLog(Base):
    """An e-mail, kept as what was sent: this service has no post office."""

    __tablename__ = "email_logs"

    id = Column(UUID(as_uuid=True), primary_key=True, default=uuid.uuid4)
    to_address = Column(Text, nullable=False)
    template = Column(Text, nullable=False)
    status = Column(Text, nullable=False)
    error_message = Column(Text)
    mail_metadata = Column("metadata", JSONB, nullable=False)
    created_at = Column(DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp())


class Recipient(Base):
    """Where a user gets mail."""

    __tablename__ = "recipients"

    user_id = Column(Text, primary_key=True)
    email = Column(Text, nullable=False)


class OrderOwner(Base):
    """Whose order it is, which an event about its payment does not tell."""

    __tablename__ = "order_owners"

    order_id = Column(Text, primary_key=True)
    user_id = Column(Text, nullable=False)


class OutboxEvent(Migrated):
    __tablename__ = "outbox_events"

    id = Column(UUID(as_uuid=True), primary_key=True, default=uuid.uuid4)
    aggregate_id = Column(Text, nullable=False)
    event_type = Column(Text, nullable=False)
    version = Column(Integer, nullable=False, default=1)
    payload = Column(JSONB, nullable=False)
    created_at = Column(DateTime(timezone=True), nullable=False, default=func.clock_timestamp())
    processed = Column(Boolean, nullable=False, default=False)
    processed_at = Column(DateTime(timezone=True))
    error_message = Column(Text)


class OutboxHeader(Migrated):
    """What an event belongs to: its trace, its operation, its user."""

    __tablename__ = "outbox_events_header"

    id = Column(UUID(as_uuid=True), primary_key=True)
    headers = Column(JSONB, nullable=False)


class OutboxFailure(Migrated):
    """Why an event was given up; an operator finds it with `postcommit dead list --layout polyshop`, and can replay it."""

    __tablename__ = "outbox_events_failure"

    id = Column(UUID(as_uuid=True), primary_key=True)
    key = Column(Text)
    attempts = Column(Integer, nullable=False)
    due_at = Column(DateTime(timezone=True))
    dead_at = Column(DateTime(timezone=True))
    error = Column(Text)


class ProcessedEvent(Migrated):
    __tablename__ = "processed_events"

    event_id = Column(UUID(as_uuid=True), primary_key=True)
    processed_at = Column(DateTime(timezone=True), nullable=False, server_default=func.now())
    event_type = Column(Text)
    source = Column(Text)


def create_tables(engine):
    present = set(inspect(engine).get_table_names())
    missing = sorted(set(Migrated.metadata.tables) - present)
    if missing:
        raise RuntimeError(
            f"the database has no {', '.join(missing)}; apply the migrations of the layout polyshop and of the inbox first")
    Base.metadata.create_all(engine)
