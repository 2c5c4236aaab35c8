package dev.postcommit.store.internal;

import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.store.internal.Catalogue.Attribute;
import dev.postcommit.store.internal.Catalogue.Table;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds what keeps an outbox from writing to a table. */
final class WritingCheck {

  /** The columns an outbox gives a value. */
  private static final Set<Role> WRITTEN =
      EnumSet.of(
          Role.ID,
          Role.NAMESPACE,
          Role.TOPIC,
          Role.TENANT,
          Role.DEDUPE_KEY,
          Role.TYPE,
          Role.AGGREGATE_TYPE,
          Role.AGGREGATE_ID,
          Role.KEY,
          Role.VERSION,
          Role.HEADERS,
          Role.PAYLOAD,
          Role.CREATED_AT,
          Role.DUE_AT,
          Role.STATUS);

  private static final Set<String> NUMBERS = Set.of("bigint", "int");

  private WritingCheck() {}

  static List<String> problems(
      Catalogue catalogue, Layout layout, Table table, Collection<Attribute> attributes)
      throws SQLException {
    List<String> problems = new ArrayList<>();
    Column id = layout.required(Role.ID);
    if (NUMBERS.contains(id.type())) {
      problems.add(
          "column %s for ID is %s, and an Outbox writes UUIDs; go on writing the rows yourself"
              .formatted(id.name(), id.type()));
    }
    if (table.missingRights().contains("INSERT")) {
      problems.add(CatalogueCheck.denied(table, "INSERT INTO " + layout.table(), "INSERT"));
    }
    unwritten(layout, attributes)
        .forEach(
            name ->
                problems.add(
                    "column %s is NOT NULL without a default, and no role of the layout fills it; give it a default"
                        .formatted(name)));
    if (layout.column(Role.DEDUPE_KEY).isPresent()) {
      List<String> unique =
          List.of(Role.NAMESPACE, Role.TOPIC, Role.DEDUPE_KEY).stream()
              .map(role -> layout.required(role).name())
              .toList();
      if (!catalogue.hasUniqueIndex(table, unique)) {
        problems.add(
            "there is no unique index on (%s), which dedupe keys need; create one"
                .formatted(String.join(", ", unique)));
      }
    }
    return problems;
  }

  private static List<String> unwritten(Layout layout, Collection<Attribute> attributes) {
    Set<String> written =
        WRITTEN.stream()
            .flatMap(role -> layout.column(role).stream())
            .map(Column::name)
            .collect(Collectors.toSet());
    return attributes.stream()
        .filter(attribute -> !attribute.optional() && !written.contains(attribute.name()))
        .map(Attribute::name)
        .toList();
  }
}
