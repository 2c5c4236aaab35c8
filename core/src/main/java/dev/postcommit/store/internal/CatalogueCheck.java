package dev.postcommit.store.internal;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.Suggestion;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Held;
import dev.postcommit.layout.Lifecycle.Leased;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.layout.Lifecycle.Status;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.store.internal.Catalogue.Attribute;
import dev.postcommit.store.internal.Catalogue.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares a layout with the catalogue. */
public final class CatalogueCheck {
  static final String MIGRATE = "run 'postcommit migrate' or OutboxMigration.migrate";

  /** The columns a relay writes to. */
  private static final Set<Role> SETTLED =
      EnumSet.of(
          Role.STATUS,
          Role.PROCESSED,
          Role.ATTEMPTS,
          Role.DUE_AT,
          Role.LAST_ERROR,
          Role.DELIVERED_AT,
          Role.LOCKED_BY,
          Role.LOCKED_UNTIL,
          Role.UPDATED_AT);

  private static final int UUID_LENGTH = 36;

  private final Catalogue catalogue;
  private final Layout layout;
  private final List<String> relay = new ArrayList<>();
  private final List<String> outbox = new ArrayList<>();
  private final List<String> admin = new ArrayList<>();

  private CatalogueCheck(Connection connection, Layout layout) {
    this.catalogue = new Catalogue(connection);
    this.layout = layout;
  }

  /** How the tables behind {@code connection} fit {@code layout}. */
  public static LayoutCheck of(Connection connection, Layout layout) throws SQLException {
    CatalogueCheck check = new CatalogueCheck(connection, layout);
    @Nullable Table table = check.catalogue.table(layout.table()).orElse(null);
    if (table == null) {
      check.relay.add(
          "there is no table %s; %s"
              .formatted(
                  layout.table(),
                  layout.isPreset() ? MIGRATE : "create it, or correct its name in the layout"));
    } else if (check.isTable(table) && check.isReachable(table)) {
      check.columns(table);
      check.ownTables(table);
    }
    return new LayoutCheck(table != null, check.relay, check.outbox, check.admin);
  }

  private boolean isTable(Table table) {
    String kind =
        switch (table.kind()) {
          case "v" -> "a view";
          case "m" -> "a materialized view";
          case "f" -> "a foreign table";
          default -> "";
        };
    if (!kind.isEmpty()) {
      relay.add(layout.table() + " is " + kind + ", whose rows cannot be locked; name a table");
    }
    return kind.isEmpty();
  }

  private boolean isReachable(Table table) {
    @Nullable String schema = layout.table().schema();
    if (!table.schemaUsable()) {
      relay.add(
          "user %s may not use the schema of %s; GRANT USAGE ON SCHEMA %s"
              .formatted(table.user(), layout.table(), schema));
    }
    return table.schemaUsable();
  }

  private void columns(Table table) throws SQLException {
    Map<String, Attribute> attributes = catalogue.attributes(table);
    Map<String, Long> families =
        catalogue.families(layout.columns().values().stream().map(Column::type).toList());
    Set<String> unreadable = new TreeSet<>();
    Set<String> unwritable = new TreeSet<>();
    for (Map.Entry<Role, Column> entry : layout.columns().entrySet()) {
      Role role = entry.getKey();
      Column column = entry.getValue();
      @Nullable Attribute attribute = attributes.get(column.name());
      if (attribute == null) {
        relay.add(
            "there is no column %s for %s%s; %s has %s"
                .formatted(
                    column.name(),
                    role,
                    Suggestion.didYouMean(column.name(), attributes.keySet()).replace("?", ""),
                    layout.table(),
                    String.join(", ", attributes.keySet())));
        continue;
      }
      type(role, column, attribute, families.get(column.type()));
      values(role, column, attribute);
      if (!attribute.readable()) {
        unreadable.add(column.name());
      }
      if (SETTLED.contains(role) && !attribute.writable()) {
        unwritable.add(column.name());
      }
    }
    rights(table, "SELECT", unreadable);
    rights(table, "UPDATE", unwritable);
    if (!layout.keepsDelivered() && table.missingRights().contains("DELETE")) {
      relay.add(denied(table, "DELETE FROM " + layout.table(), "DELETE"));
    }
    outbox.addAll(WritingCheck.problems(catalogue, layout, table, attributes.values()));
  }

  private void type(Role role, Column column, Attribute attribute, @Nullable Long family) {
    if (family == null) {
      relay.add(
          "column %s for %s: there is no type %s; it is %s"
              .formatted(column.name(), role, column.type(), attribute.type()));
    } else if (family != attribute.family()) {
      relay.add(
          "column %s for %s is %s, not %s as the layout says"
              .formatted(column.name(), role, attribute.type(), column.type()));
    }
  }

  /** Whether the column takes what is written to it. */
  private void values(Role role, Column column, Attribute attribute) {
    if (role == Role.ID && !attribute.unique() && !(layout.lifecycle() instanceof Log)) {
      relay.add(
          "column %s for ID has no unique index of its own; create one, or name the primary key"
              .formatted(column.name()));
    }
    if (!attribute.nullable() && mustBeNullable(role)) {
      relay.add("column %s for %s is NOT NULL; drop that".formatted(column.name(), role));
    }
    if (attribute.length() > 0) {
      length(role, column, attribute.length());
    }
    if (!attribute.labels().isEmpty()) {
      List<String> missing =
          Stream.concat(words(role).stream(), column.labels().stream())
              .filter(word -> !attribute.labels().contains(word))
              .toList();
      if (!missing.isEmpty()) {
        relay.add(
            "column %s for %s: the enum type %s has no label %s; it has %s"
                .formatted(
                    column.name(),
                    role,
                    attribute.type(),
                    String.join(", ", missing),
                    String.join(", ", attribute.labels())));
      }
    }
  }

  private boolean mustBeNullable(Role role) {
    return role == Role.LOCKED_BY
        || role == Role.LOCKED_UNTIL
        || (role == Role.DELIVERED_AT && layout.lifecycle() instanceof Held);
  }

  private void length(Role role, Column column, int length) {
    int needed =
        switch (role) {
          case STATUS -> words(role).stream().mapToInt(String::length).max().orElse(0);
          case LAST_ERROR -> Stores.MAX_ERROR_LENGTH;
          case LOCKED_BY -> UUID_LENGTH;
          default -> 0;
        };
    if (length < needed) {
      relay.add(
          "column %s for %s holds %d characters and needs %d%s"
              .formatted(
                  column.name(),
                  role,
                  length,
                  needed,
                  role == Role.LAST_ERROR ? "; make it text, or leave it out of the layout" : ""));
    }
  }

  /** What the lifecycle writes into the status. */
  private List<String> words(Role role) {
    if (role != Role.STATUS) {
      return List.of();
    }
    if (layout.lifecycle() instanceof Status status) {
      return List.of(status.pending(), status.delivered(), status.dead());
    }
    return layout.lifecycle() instanceof Leased
        ? List.of("pending", "processing", "delivered", "dead")
        : List.of("pending", "delivered", "dead");
  }

  private void rights(Table table, String right, Set<String> columns) {
    if (!columns.isEmpty()) {
      String what = "%s %s of %s".formatted(right, String.join(", ", columns), layout.table());
      relay.add(denied(table, what, right));
    }
  }

  private void ownTables(Table table) throws SQLException {
    relay.addAll(Readiness.own(catalogue.connection(), layout));
    if (layout.lifecycle() instanceof Claimed || layout.lifecycle() instanceof Log) {
      numbers(table);
    }
    if (layout.lifecycle() instanceof Claimed claimed) {
      ownTable(relay, claimed.claims(), "claims are kept", "SELECT", "INSERT", "UPDATE", "DELETE");
    }
    if (layout.lifecycle() instanceof Log log) {
      ownTable(relay, log.cursor(), "the cursor is kept", "SELECT", "UPDATE");
      relay.addAll(LogCheck.problems(catalogue, layout, table));
      Layout diverted = layout.diverted().orElseThrow();
      LayoutCheck beside = of(catalogue.connection(), diverted);
      relay.addAll(beside.relay());
      admin.addAll(beside.admin());
      ownTable(outbox, diverted.table(), "events with a time of their own are kept", "INSERT");
      TableName keys = layout.dedupeKeys().orElseThrow();
      ownTable(outbox, keys, "dedupe keys are kept", "SELECT", "INSERT");
      return;
    }
    @Nullable TableName failures = layout.failures().orElse(null);
    if (failures != null) {
      ownTable(relay, failures, "failures are kept", "SELECT", "INSERT", "UPDATE", "DELETE");
    }
    @Nullable TableName headers = layout.headers().orElse(null);
    if (headers != null && layout.keepsDelivered()) {
      ownTable(relay, headers, "headers are kept", "SELECT");
    } else if (headers != null) {
      ownTable(relay, headers, "headers are kept", "SELECT", "DELETE");
    }
    ownTable(admin, layout.audit(), "operators' actions are recorded", "INSERT");
  }

  /** Whether transactions have their ids before their rows have numbers: see {@link Floor}. */
  private void numbers(Table table) throws SQLException {
    String seq = layout.required(Role.SEQ).name();
    if (!catalogue.takesIdBefore(table, seq)) {
      relay.add(
          "no column ahead of %s has DEFAULT pg_current_xact_id(), so an INSERT that waits may be overtaken; move its rows to a table made by 'postcommit migrate'"
              .formatted(seq));
    }
  }

  private void ownTable(List<String> problems, TableName name, String purpose, String... rights)
      throws SQLException {
    @Nullable Table table = catalogue.table(name).orElse(null);
    if (table == null) {
      problems.add("there is no table %s, where %s; %s".formatted(name, purpose, MIGRATE));
      return;
    }
    String missing =
        Stream.of(rights).filter(table.missingRights()::contains).collect(joining(", "));
    if (!missing.isEmpty()) {
      problems.add(denied(table, missing + " on " + name, missing));
    }
  }

  static String denied(Table table, String what, String right) {
    return "user %s may not %s; GRANT %s".formatted(table.user(), what, right);
  }
}
