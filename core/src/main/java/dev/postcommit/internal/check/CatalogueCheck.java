package dev.postcommit.internal.check;

import dev.postcommit.internal.check.PrivilegeCheck.Lack;
import dev.postcommit.internal.check.Privileges.Task;
import dev.postcommit.internal.jdbc.Catalogue;
import dev.postcommit.internal.jdbc.Catalogue.Attribute;
import dev.postcommit.internal.jdbc.Catalogue.Table;
import dev.postcommit.internal.jdbc.RecordedErrors;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.StatusWords;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.support.Suggestion;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Compares a layout with the catalogue. */
public final class CatalogueCheck {
  static final String MIGRATE = "run 'postcommit migrate' or OutboxMigration.migrate";

  private static final int UUID_LENGTH = 36;

  private final Catalogue catalogue;
  private final Layout layout;

  /** What is wrong, by what it keeps from being done. */
  private final Map<Task, List<String>> problems = new EnumMap<>(Task.class);

  private final List<String> relay = problems(Task.DELIVER);
  private final List<String> outbox = problems(Task.WRITE);
  private final List<String> admin = problems(Task.OPERATE);

  private CatalogueCheck(Connection connection, Layout layout) {
    this.catalogue = new Catalogue(connection);
    this.layout = layout;
  }

  /** How the tables behind {@code connection} fit {@code layout}. */
  public static LayoutCheck of(Connection connection, Layout layout) throws SQLException {
    CatalogueCheck check = new CatalogueCheck(connection, layout);
    @Nullable Table table = check.catalogue.table(layout.table()).orElse(null);
    if (check.shape(table)) {
      check.privileges();
    }
    return new LayoutCheck(
        table != null,
        check.relay,
        check.outbox,
        check.admin,
        check.problems(Task.PRUNE),
        check.problems(Task.SHOW),
        check.problems(Task.WATCH));
  }

  /** Checks the tables; returns whether the user can see them. */
  private boolean shape(@Nullable Table table) throws SQLException {
    if (table == null) {
      relay.add(
          "there is no table %s; %s"
              .formatted(
                  layout.table(),
                  layout.isPreset() ? MIGRATE : "create it, or correct its name in the layout"));
      return false;
    }
    if (!isTable(table) || !isReachable(table)) {
      return false;
    }
    columns(table);
    ownTables(table);
    return true;
  }

  private void privileges() throws SQLException {
    for (Task task : Task.values()) {
      PrivilegeCheck.of(catalogue.connection(), layout, EnumSet.of(task)).stream()
          .map(Lack::problem)
          .forEach(problems(task)::add);
    }
  }

  private List<String> problems(Task task) {
    return problems.computeIfAbsent(task, same -> new ArrayList<>());
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
    Optional<Lack> schema = PrivilegeCheck.schema(table, layout.table());
    for (List<String> problems : List.of(relay, outbox, admin)) {
      schema.map(Lack::problem).ifPresent(problems::add);
    }
    return schema.isEmpty();
  }

  private void columns(Table table) throws SQLException {
    Map<String, Attribute> attributes = catalogue.attributes(table);
    Map<String, Long> families =
        catalogue.families(layout.columns().values().stream().map(Column::type).toList());
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
    if (role == Role.ID && !attribute.unique() && !layout.isLog()) {
      relay.add(
          "column %s for ID has no unique index of its own; create one, or name the primary key"
              .formatted(column.name()));
    }
    if (!attribute.nullable() && mustBeNullable(role)) {
      relay.add("column %s for %s is NOT NULL; drop that".formatted(column.name(), role));
    }
    if (role == Role.LOCKED_UNTIL && !keepsMicroseconds(attribute)) {
      relay.add(
          "column %s for LOCKED_UNTIL is %s, whose microseconds tell leases apart; make it timestamptz"
              .formatted(column.name(), attribute.type()));
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

  private static boolean keepsMicroseconds(Attribute attribute) {
    return !attribute.type().contains("(") || attribute.type().contains("(6)");
  }

  private boolean mustBeNullable(Role role) {
    return role == Role.LOCKED_BY
        || role == Role.LOCKED_UNTIL
        || (role == Role.DELIVERED_AT && layout.isHeld());
  }

  private void length(Role role, Column column, int length) {
    int needed =
        switch (role) {
          case STATUS -> words(role).stream().mapToInt(String::length).max().orElse(0);
          case LAST_ERROR -> RecordedErrors.MAX_ERROR_LENGTH;
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
    return role == Role.STATUS
        ? layout.lifecycle().statusWords().map(StatusWords::all).orElse(List.of())
        : List.of();
  }

  private void ownTables(Table table) throws SQLException {
    relay.addAll(Readiness.own(catalogue.connection(), layout));
    if (layout.lifecycle().kind().isOwn()) {
      numbers(table);
    }
    if (layout.claims().isPresent()) {
      ownTable(relay, layout.claims().get(), "claims are kept");
    }
    if (layout.cursor().isPresent()) {
      ownTable(relay, layout.cursor().get(), "the cursor is kept");
      sequence();
      CatalogueCheck beside =
          new CatalogueCheck(catalogue.connection(), layout.diverted().orElseThrow());
      beside.shape(catalogue.table(beside.layout.table()).orElse(null));
      relay.addAll(beside.relay);
      admin.addAll(beside.admin);
      ownTable(outbox, layout.dedupeKeys().orElseThrow(), "dedupe keys are kept");
      return;
    }
    @Nullable TableName failures = layout.failures().orElse(null);
    if (failures != null) {
      ownTable(relay, failures, "failures are kept");
    }
    @Nullable TableName headers = layout.headers().orElse(null);
    if (headers != null) {
      ownTable(relay, headers, "headers are kept");
    }
    ownTable(admin, layout.audit(), "operators' actions are recorded");
  }

  private void sequence() throws SQLException {
    TableName name = layout.table().withSuffix("_seq");
    if (!catalogue.hasSequence(name)) {
      relay.add(
          "there is no sequence %s, which numbers the rows; rename the one of column %s to that"
              .formatted(name, layout.required(Role.SEQ).name()));
    }
  }

  /** Whether transactions have their ids before their rows have numbers: see {@code Floor}. */
  private void numbers(Table table) throws SQLException {
    String seq = layout.required(Role.SEQ).name();
    if (!catalogue.takesIdBefore(table, seq)) {
      relay.add(
          "no column ahead of %s has DEFAULT pg_current_xact_id(), so an INSERT that waits may be overtaken; move its rows to a table made by 'postcommit migrate'"
              .formatted(seq));
    }
  }

  private void ownTable(List<String> problems, TableName name, String purpose) throws SQLException {
    if (catalogue.table(name).isEmpty()) {
      problems.add("there is no table %s, where %s; %s".formatted(name, purpose, MIGRATE));
    }
  }
}
