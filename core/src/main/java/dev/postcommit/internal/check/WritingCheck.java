package dev.postcommit.internal.check;

import dev.postcommit.internal.jdbc.Catalogue;
import dev.postcommit.internal.jdbc.Catalogue.Attribute;
import dev.postcommit.internal.jdbc.Catalogue.Table;
import dev.postcommit.internal.write.EventRow;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds what keeps an outbox from writing to a table. */
final class WritingCheck {

  private WritingCheck() {}

  static List<String> problems(
      Catalogue catalogue, Layout layout, Table table, Collection<Attribute> attributes)
      throws SQLException {
    List<String> problems = new ArrayList<>();
    Column id = layout.required(Role.ID);
    if (id.isNumber()) {
      problems.add(
          "column %s for ID is %s, and an Outbox writes UUIDs; go on writing the rows yourself"
              .formatted(id.name(), id.type()));
    }
    unwritten(layout, attributes)
        .forEach(
            name ->
                problems.add(
                    "column %s is NOT NULL without a default, and no role of the layout fills it; give it a default"
                        .formatted(name)));
    if (layout.column(Role.DEDUPE_KEY).isPresent() && layout.dedupeKeys().isEmpty()) {
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
        EventRow.of(layout).stream().map(cell -> cell.column().name()).collect(Collectors.toSet());
    return attributes.stream()
        .filter(attribute -> !attribute.optional() && !written.contains(attribute.name()))
        .map(Attribute::name)
        .toList();
  }
}
