"""Does what each line of its input says, in JSON, and answers each with a line: so that a test has a writer in Python.

Arguments: psycopg2, connection or session (the latter two of SQLAlchemy), and the address of a database.
"""

import base64
import json
import re
import sys
from datetime import datetime
from pathlib import Path

import psycopg2
import sqlalchemy
from sqlalchemy.orm import Session

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from postcommit_writer import enqueue, enqueue_all  # noqa: E402


class Psycopg2:
    """Outside of begin and commit it is in autocommit mode."""

    def __init__(self, address):
        self.transaction = psycopg2.connect(address)
        self.transaction.autocommit = True

    def begin(self):
        self.transaction.autocommit = False

    def sql(self, statement):
        with self.transaction.cursor() as cursor:
            cursor.execute(statement)

    def commit(self):
        self.transaction.commit()
        self.transaction.autocommit = True

    def rollback(self):
        self.transaction.rollback()
        self.transaction.autocommit = True


class Connection:
    """Outside of begin and commit there is no transaction."""

    def __init__(self, address):
        self.transaction = sqlalchemy.create_engine(address, future=True).connect()

    def begin(self):
        self.transaction.begin()

    def sql(self, statement):
        self.transaction.execute(sqlalchemy.text(statement))

    def commit(self):
        self.transaction.commit()

    def rollback(self):
        self.transaction.rollback()


class SessionOf(Connection):
    """Outside of begin and commit it works on an engine in AUTOCOMMIT mode."""

    def __init__(self, address):
        engine = sqlalchemy.create_engine(address, future=True)
        self.session = Session(engine, future=True)
        self.outside = Session(engine.execution_options(isolation_level="AUTOCOMMIT"), future=True)
        self.transaction = self.outside

    def begin(self):
        self.transaction = self.session

    def commit(self):
        self.session.commit()
        self.transaction = self.outside

    def rollback(self):
        self.session.rollback()
        self.transaction = self.outside


def given(event):
    """The event as a program in this language would give it; its payload comes as `text`, `base64` or any other `value`."""
    fields = {re.sub("[A-Z]", lambda upper: "_" + upper[0].lower(), name): value for name, value in event.items()}
    payload = fields.pop("payload", {})
    if "text" in payload:
        fields["payload"] = payload["text"]
    elif "base64" in payload:
        fields["payload"] = base64.b64decode(payload["base64"])
    else:
        fields["payload"] = payload.get("value")
    if "available_at" in fields:
        fields["available_at"] = datetime.fromisoformat(fields["available_at"].replace("Z", "+00:00"))
    return fields


def act(writer, request):
    action = request["do"]
    if action == "enqueue":
        return [enqueue(writer.transaction, **given(request["event"]))]
    if action == "enqueueAll":
        return enqueue_all(writer.transaction, [given(event) for event in request["events"]])
    if action == "sql":
        writer.sql(request["sql"])
    else:
        getattr(writer, action)()
    return []


def main(kind, address):
    writer = {"psycopg2": Psycopg2, "connection": Connection, "session": SessionOf}[kind](address)
    for line in sys.stdin:
        try:
            answer = {"answers": [result._asdict() for result in act(writer, json.loads(line))]}
        except Exception as e:  # the test is told, whatever it is
            field = getattr(e, "field", None)
            field = {"dedupe_key": "dedupeKey", "aggregate_id": "aggregateId", "available_at": "availableAt"}.get(field, field)
            answer = {"error": str(e), "field": field}
        print(json.dumps(answer), flush=True)


main(*sys.argv[1:])
