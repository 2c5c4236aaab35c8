"""What an event may be: the same as in Java. Anything else is refused by name before it is written."""

import json
import os
import re
import time
import unicodedata
import uuid
from datetime import datetime, timezone

MAX_PAYLOAD_BYTES = 1_000_000  # with headers; bytes count as base64
TOPIC = re.compile(r"(?!\.{1,2}\Z)[a-zA-Z0-9._-]{1,249}|projects/[^/\s]+/topics/[^/\s]+")
ABSENT = object()
RESERVED_HEADERS = {"event_id", "event_type", "aggregate_type", "aggregate_id", "created_at"}
EARLIEST = datetime(1970, 1, 1, tzinfo=timezone.utc)
LATEST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=timezone.utc)


class InvalidEvent(ValueError):
    """An event that no table or broker would take; `field` says what is wrong with it."""

    def __init__(self, field, problem):
        super().__init__(f"{field}: {problem}")
        self.field = field


def row_of(*, type, payload, id=None, namespace="default", topic=None, tenant=None, dedupe_key=None, aggregate_type=None,
           aggregate_id=ABSENT, key=ABSENT, version=1, headers=None, available_at=None):
    """The row of an event.

    A payload is bytes, JSON text (str), which is kept byte for byte, or any other value, which becomes JSON.
    """
    _check(aggregate_id is not None, "aggregate_id", "must not be None; leave it out")
    _check(key is not None, "key", "must not be None; leave it out")
    aggregate_id = None if aggregate_id is ABSENT else aggregate_id
    _check(aggregate_type is None or aggregate_id is not None, "aggregate_id", "must not be None with an aggregate_type")
    aggregate_id = str(aggregate_id) if isinstance(aggregate_id, uuid.UUID) else aggregate_id
    row = {
        "id": _uuid7() if id is None else _uuid("id", id),
        "namespace": namespace,
        "topic": type if topic is None else topic,
        "tenant": None if tenant is None else _uuid("tenant", tenant),
        "dedupe_key": dedupe_key,
        "type": type,
        "aggregate_type": aggregate_type,
        "aggregate_id": aggregate_id,
        "key": aggregate_id if key is ABSENT else key,
        "version": version,
        "headers": _headers(headers or {}),
        "payload": _bytes(payload, headers or {}),
        "due_at": available_at,
    }
    for name in ("type", "namespace", "topic"):
        _text(name, row[name])
    _check(TOPIC.fullmatch(row["topic"]), "type" if row["topic"] == type else "topic",
           "cannot be the name of a topic: Kafka allows up to 249 letters, digits, '.', '_' and '-'")
    for name in ("dedupe_key", "aggregate_type", "aggregate_id", "key"):
        if row[name] is not None:
            _text(name, row[name], 1024 if name == "dedupe_key" else 512)
    whole = isinstance(version, int) and not isinstance(version, bool)
    _check(whole and 1 <= version < 2**31, "version", "must be an integer of at least 1")
    _check_tenant(row["tenant"], dedupe_key)
    _check_time(available_at)
    return row


def _check(condition, field, problem):
    if not condition:
        raise InvalidEvent(field, problem)


def _uuid(field, value):
    try:
        return str(value if isinstance(value, uuid.UUID) else uuid.UUID(value))
    except (ValueError, AttributeError, TypeError):
        raise InvalidEvent(field, "must be a UUID") from None


def _text(field, value, limit=512):
    _check(isinstance(value, str), field, "must be a string")
    _check(value.strip(), field, "must not be blank")
    _bounded(field, value, limit)


def _bounded(field, value, limit):
    _check("\0" not in value, field, "must not hold the character U+0000")
    size = len(_utf8(field, value))
    _check(size <= limit, field, f"is {size} bytes long, more than the {limit} allowed")


def _utf8(field, value):
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidEvent(field, "is not valid Unicode: half a surrogate pair") from None


def _check_tenant(tenant, dedupe_key):
    if tenant is not None and dedupe_key is not None:
        plain = tenant.replace("-", "")
        begins = dedupe_key.lower().startswith((plain + "/", tenant + "/"))
        _check(begins, "dedupe_key", f"must begin with the tenant's id and '/', that is '{plain}/'")


def _check_time(moment):
    if moment is not None:
        aware = isinstance(moment, datetime) and moment.tzinfo is not None
        _check(aware and EARLIEST <= moment <= LATEST, "available_at", "must be a datetime with a zone, from 1970 to 9999")


def _headers(headers):
    _check(isinstance(headers, dict), "headers", "must be a dict")
    _check(len(headers) <= 100, "headers", f"at most 100 are allowed, not {len(headers)}")
    for name, value in headers.items():
        _check(isinstance(name, str) and name.strip(), "headers", "a header's name must be a string and not blank")
        printable = "".join("?" if unicodedata.category(c) == "Cc" else c for c in name)
        field = f"headers[{printable[:64]}]"
        _check(printable == name, field, "the name must not hold control characters")
        _check(not name.startswith("goog"), field, "names that begin with 'goog' are refused by brokers")
        _check(name not in RESERVED_HEADERS, field, "the relay sets this header itself")
        _bounded(f"{field} name", name, 256)
        _check(isinstance(value, str), field, "the value must be a string")
        _bounded(field, value, 1024)
    return json.dumps(headers) if headers else None


def _bytes(payload, headers):
    binary = isinstance(payload, (bytes, bytearray, memoryview))
    content = bytes(payload) if binary else _utf8("payload", _json(payload))
    around = sum(len(name.encode()) + len(value.encode()) for name, value in headers.items())
    size = around + (4 * ((len(content) + 2) // 3) if binary else len(content))
    how = (" as base64" if binary else "") + (f" with {around} of headers" if around else "")
    _check(size <= MAX_PAYLOAD_BYTES, "payload", f"is {size} bytes{how}, more than the limit of {MAX_PAYLOAD_BYTES}")
    return content


def _json(payload):
    _check(payload is not None, "payload", "must be bytes, JSON text, or a value that can be JSON")
    try:
        if isinstance(payload, str):
            json.loads(payload, parse_constant=_refuse)
            return payload
        return json.dumps(payload, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise InvalidEvent("payload", "is not valid JSON") from None


def _refuse(constant):
    raise ValueError(constant)


def _uuid7():
    """A UUID that begins with the time, so that new rows lie next to each other in the index."""
    head = (time.time_ns() // 1_000_000).to_bytes(6, "big")
    tail = bytearray(os.urandom(10))
    tail[0] = 0x70 | (tail[0] & 0x0F)
    tail[2] = 0x80 | (tail[2] & 0x3F)
    return str(uuid.UUID(bytes=head + bytes(tail)))
