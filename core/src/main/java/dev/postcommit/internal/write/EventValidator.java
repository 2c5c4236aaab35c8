package dev.postcommit.internal.write;

import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.Payload;
import dev.postcommit.internal.EventChecks;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.support.JsonText;
import dev.postcommit.support.Route;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Refuses events that a table of one layout could not hold in full. */
public final class EventValidator {
  private static final Pattern UUID_TEXT =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

  private final Layout layout;
  private final WritingRules rules;
  private final Column payload;
  private final boolean payloadIsBinary;
  private final boolean payloadIsJson;
  private final boolean payloadIsJsonb;
  private final boolean headersApart;
  private final boolean tenantIsKey;
  private final boolean aggregateIdIsKey;

  /** The columns that do not take any text. */
  private final Map<Role, Column> narrow = new EnumMap<>(Role.class);

  /** Whether the recorded topic is where events go unless a relay is told otherwise. */
  private final boolean topicIsRoute;

  public EventValidator(Layout layout, WritingRules rules) {
    this.layout = layout;
    this.rules = rules;
    this.topicIsRoute = Route.usual(layout).topics().isEmpty();
    this.payload = layout.required(Role.PAYLOAD);
    this.payloadIsBinary = payload.isBinary();
    this.payloadIsJson = payload.isJson();
    this.payloadIsJsonb = payload.type().equalsIgnoreCase("jsonb");
    this.headersApart = layout.headers().isPresent();
    this.tenantIsKey = isKey(layout, Role.TENANT);
    this.aggregateIdIsKey = isKey(layout, Role.AGGREGATE_ID);
    layout
        .columns()
        .forEach(
            (role, column) -> {
              if (!column.labels().isEmpty() || column.isUuid() || column.isNumber()) {
                narrow.put(role, column);
              }
            });
  }

  /** Whether one column holds both a value and the key. */
  private static boolean isKey(Layout layout, Role role) {
    return layout.column(role).isPresent() && layout.column(role).equals(layout.column(Role.KEY));
  }

  /**
   * The event as it can be written, with a payload of bytes.
   *
   * @throws InvalidEventException naming the field that does not fit
   */
  public Event checked(@Nullable Event event) {
    if (event == null) {
      throw new InvalidEventException("event", "must not be null");
    }
    if (event.payload().format() == Payload.Format.OBJECT) {
      aggregate(event);
    }
    Event serialized = ObjectPayloads.serialized(event, rules.payloadSerializer());
    check(serialized);
    return serialized;
  }

  private void check(Event event) {
    payload(event);
    needs(Role.NAMESPACE, "namespace", !event.namespace().equals(Event.DEFAULT_NAMESPACE));
    needs(Role.TENANT, "tenant", event.tenant() != null);
    needs(Role.DEDUPE_KEY, "dedupeKey", event.dedupeKey() != null);
    needs(Role.AGGREGATE_TYPE, "aggregateType", event.aggregateType() != null);
    needs(Role.AGGREGATE_ID, "aggregateId", event.aggregateId() != null);
    needs(Role.VERSION, "version", event.version() != 1);
    needs(Role.DUE_AT, "availableAt", event.availableAt() != null);
    if (!headersApart) {
      needs(Role.HEADERS, "headers", !event.headers().isEmpty());
    }
    if (!event.type().equals(event.topic())) {
      needs(Role.TYPE, "type", true);
      needs(Role.TOPIC, "topic", true);
    }
    fits(Role.TYPE, "type", event.type());
    fits(Role.AGGREGATE_TYPE, "aggregateType", event.aggregateType());
    fits(Role.AGGREGATE_ID, "aggregateId", event.aggregateId());
    fits(Role.KEY, "key", event.key());
    key(event);
    if (rules.topicCheck() && topicIsRoute) {
      topic(event);
    }
    if (rules.tenantCheck()) {
      tenant(event);
    }
  }

  /** Refuses objects without an aggregate for tables that make it the key. */
  private void aggregate(Event event) {
    if (!aggregateIdIsKey) {
      return;
    }
    String missing = null;
    if (event.aggregateId() == null) {
      missing = "aggregateId";
    } else if (event.aggregateType() == null && layout.column(Role.AGGREGATE_TYPE).isPresent()) {
      missing = "aggregateType";
    }
    if (missing != null) {
      throw new InvalidEventException(
          missing,
          "the %s layout needs it; mark %s with @%s, or set the aggregate with the builder"
              .formatted(
                  layout.name(),
                  ObjectPayloads.className(event),
                  missing.equals("aggregateId") ? "AggregateId" : "AggregateType"));
    }
  }

  private void payload(Event event) {
    Payload content = event.payload();
    boolean isJson = content.format() == Payload.Format.JSON;
    checkSize(event, isJson);
    if (payloadIsBinary) {
      return;
    }
    if (!isJson) {
      throw new InvalidEventException(
          "payload", "the " + layout.name() + " layout stores JSON only, not bytes");
    }
    if (payloadIsJson && !JsonText.fitsJsonb(content.bytes())) {
      throw new InvalidEventException(
          "payload",
          "holds the character U+0000 or half a surrogate pair, which "
              + payload.type()
              + " cannot store");
    }
  }

  /** Refuses what might be too much for a broker, in whatever envelope it comes. */
  private void checkSize(Event event, boolean isJson) {
    Payload content = event.payload();
    long size = content.size();
    String as = "";
    if (!isJson) {
      size = 4 * ((size + 2) / 3);
      as = " as base64";
    } else if (payloadIsJsonb) {
      long stored = JsonText.jsonbSize(content.bytes());
      as = stored > size ? " as jsonb" : "";
      size = Math.max(size, stored);
    }
    int headers = EventChecks.size(event.headers());
    if (size + headers > rules.maxPayloadBytes()) {
      throw new InvalidEventException(
          "payload",
          "is %d bytes%s%s, more than the limit of %d"
              .formatted(
                  size + headers,
                  as,
                  headers == 0 ? "" : " with %d of headers".formatted(headers),
                  rules.maxPayloadBytes()));
    }
  }

  private void needs(Role role, String field, boolean used) {
    if (used && layout.column(role).isEmpty()) {
      throw new InvalidEventException(
          field,
          role == Role.TYPE || role == Role.TOPIC
              ? "the " + layout.name() + " layout keeps one of type and topic; they must be equal"
              : "the " + layout.name() + " layout has no column for it");
    }
  }

  /** Refuses a value that the column's type cannot hold, before the database does. */
  private void fits(Role role, String field, @Nullable String value) {
    Column column = narrow.get(role);
    if (column == null || value == null) {
      return;
    }
    if (!column.labels().isEmpty() && !column.labels().contains(value)) {
      throw new InvalidEventException(
          field,
          "'%s' is none of the values of %s: %s"
              .formatted(value, column.type(), String.join(", ", column.labels())));
    }
    if (column.isUuid() && !UUID_TEXT.matcher(value).matches()) {
      throw new InvalidEventException(
          field, "'" + value + "' is not a UUID, which column " + column.name() + " holds");
    }
    if (column.isNumber() && !NUMBER.matcher(value).matches()) {
      throw new InvalidEventException(
          field, "'" + value + "' is not a number, which column " + column.name() + " holds");
    }
  }

  private void key(Event event) {
    String key = event.key();
    if (key == null) {
      return;
    }
    needs(Role.KEY, "key", true);
    if (tenantIsKey) {
      alsoKey("tenant", key, event.tenant());
    }
    if (aggregateIdIsKey) {
      alsoKey("aggregate id", key, event.aggregateId());
    }
  }

  /** Refuses a key that would have to be another value in the same column. */
  private void alsoKey(String what, String key, @Nullable Object value) {
    if (!key.equals(String.valueOf(value))) {
      throw new InvalidEventException(
          "key",
          "in the " + layout.name() + " layout the " + what + " is the key; leave the key out");
    }
  }

  /** Refuses an event that the broker would, for its topic, after it was claimed. */
  private void topic(Event event) {
    boolean isType = event.topic().equals(event.type());
    boolean hasOwn = layout.column(Role.TOPIC).isPresent() && layout.column(Role.TYPE).isPresent();
    EventChecks.topicName(
        isType ? "type" : "topic",
        event.topic(),
        (isType && hasOwn ? "give the event a topic of its own, or, " : "")
            + "if relays send it elsewhere, build the outbox withoutTopicCheck()");
  }

  private static void tenant(Event event) {
    UUID tenant = event.tenant();
    String dedupeKey = event.dedupeKey();
    if (tenant == null || dedupeKey == null) {
      return;
    }
    String hyphenated = tenant.toString();
    String plain = hyphenated.replace("-", "");
    String given = dedupeKey.toLowerCase(Locale.ROOT);
    if (!given.startsWith(plain + "/") && !given.startsWith(hyphenated + "/")) {
      throw new InvalidEventException(
          "dedupeKey", "must begin with the tenant's id and '/', that is '" + plain + "/'");
    }
  }
}
