"""The envelope that all services of PolyShop exchange."""

import json
import uuid
from dataclasses import dataclass


class PermanentError(Exception):
    """An event cannot be handled, however often it is tried."""


@dataclass(frozen=True)
class Envelope:
    event_id: uuid.UUID
    event_type: str
    source: str
    data: dict
    metadata: dict


def read_envelope(body):
    """Reads a message; what is no envelope is refused."""
    try:
        fields = json.loads(body or b"")
    except ValueError:
        raise PermanentError("the message is not JSON") from None
    if not isinstance(fields, dict):
        raise PermanentError("the message is not a JSON object")
    try:
        event_id = uuid.UUID(fields.get("eventId"))
    except (AttributeError, TypeError, ValueError):
        raise PermanentError("the envelope has no eventId that is a UUID") from None
    for name, kind in (("eventType", str), ("data", dict)):
        if not isinstance(fields.get(name), kind):
            raise PermanentError(f"the envelope has no {name}")
    metadata = fields.get("metadata")
    return Envelope(event_id, fields["eventType"], fields.get("source"), fields["data"],
                    metadata if isinstance(metadata, dict) else {})


def write_envelope(row, source):
    """Writes the envelope of a row; the payload goes in as the database gave it, digit for digit."""
    head = {"eventId": row.id, "timestamp": row.created_at, "eventType": row.event_type, "version": row.version,
            "source": source}
    metadata = {"traceId": row.headers.get("traceId", row.id), "correlationId": row.headers.get("correlationId", row.id)}
    metadata.update({name: row.headers[name] for name in ("idempotencyKey", "userId") if name in row.headers})
    return f'{_json(head)[:-1]},"data":{row.payload},"metadata":{_json(metadata)}}}'.encode()


def _json(value):
    return json.dumps(value, ensure_ascii=False)
