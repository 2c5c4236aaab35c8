"""One line of JSON for each entry: what happened and the ids that belong to it, never a payload."""

import json
import sys
from datetime import datetime, timezone


def _write(level, message, fields):
    time = datetime.now(timezone.utc).isoformat()
    entry = {"time": time, "level": level, "message": message, **{name: value for name, value in fields.items() if value}}
    print(json.dumps(entry, default=_text), file=sys.stderr, flush=True)


def _text(error):
    """The first line: those that follow may show the values of a statement."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def info(message, **fields):
    _write("INFO", message, fields)


def warn(message, **fields):
    _write("WARN", message, fields)


def error(message, **fields):
    _write("ERROR", message, fields)


def ids(envelope):
    """The ids of an envelope that every line about it carries."""
    trace = envelope.metadata.get("traceId")
    return {"eventId": envelope.event_id, "eventType": envelope.event_type, "traceId": trace}
