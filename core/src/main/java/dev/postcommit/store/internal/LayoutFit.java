package dev.postcommit.store.internal;

import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.Payload;
import dev.postcommit.internal.JsonText;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import java.util.Locale;
import java.util.UUID;

/** Refuses events that a table of one layout could not hold whole. */
final class LayoutFit {
  private final Layout layout;
  private final int maxPayloadBytes;
  private final boolean tenantCheck;

  LayoutFit(Layout layout, int maxPayloadBytes, boolean tenantCheck) {
    this.layout = layout;
    this.maxPayloadBytes = maxPayloadBytes;
    this.tenantCheck = tenantCheck;
  }

  void check(Event event) {
    if (event == null) {
      throw new InvalidEventException("event", "must not be null");
    }
    payload(event.payload());
    needs(Role.NAMESPACE, "namespace", !event.namespace().equals(Event.DEFAULT_NAMESPACE));
    needs(Role.TENANT, "tenant", event.tenant() != null);
    needs(Role.DEDUPE_KEY, "dedupeKey", event.dedupeKey() != null);
    needs(Role.AGGREGATE_TYPE, "aggregateType", event.aggregateType() != null);
    needs(Role.AGGREGATE_ID, "aggregateId", event.aggregateId() != null);
    needs(Role.VERSION, "version", event.version() != 1);
    needs(Role.HEADERS, "headers", !event.headers().isEmpty());
    needs(Role.DUE_AT, "availableAt", event.availableAt() != null);
    needs(Role.TYPE, "type", !event.type().equals(event.topic()));
    key(event);
    if (tenantCheck) {
      tenant(event);
    }
  }

  private void payload(Payload payload) {
    if (payload.size() > maxPayloadBytes) {
      throw new InvalidEventException(
          "payload", "is " + payload.size() + " bytes, more than the limit of " + maxPayloadBytes);
    }
    Column column = layout.required(Role.PAYLOAD);
    if (column.isBinary()) {
      return;
    }
    if (payload.format() != Payload.Format.JSON) {
      throw new InvalidEventException(
          "payload", "the " + layout.name() + " layout stores JSON only, not bytes");
    }
    if (column.isJson() && !JsonText.fitsJsonb(payload.bytes())) {
      throw new InvalidEventException(
          "payload",
          "holds the character U+0000 or half a surrogate pair, which "
              + column.type()
              + " cannot store");
    }
  }

  private void needs(Role role, String field, boolean used) {
    if (used && layout.column(role).isEmpty()) {
      throw new InvalidEventException(
          field,
          role == Role.TYPE
              ? "the " + layout.name() + " layout keeps no type, so it must equal the topic"
              : "the " + layout.name() + " layout has no column for it");
    }
  }

  private void key(Event event) {
    String key = event.key();
    if (key == null) {
      return;
    }
    needs(Role.KEY, "key", true);
    if (layout.column(Role.KEY).equals(layout.column(Role.TENANT))
        && !key.equals(String.valueOf(event.tenant()))) {
      throw new InvalidEventException(
          "key", "in the " + layout.name() + " layout the tenant is the key; leave the key out");
    }
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
