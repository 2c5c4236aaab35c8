package dev.postcommit.layout;

import dev.postcommit.layout.Lifecycle.Claimed;
import dev.postcommit.layout.Lifecycle.Leased;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.layout.Lifecycle.PublishedAt;
import dev.postcommit.layout.Lifecycle.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the mistakes in the description of an adopted table. */
final class Adoption {
  /** Leaves room for the longest suffix of a table beside it. */
  private static final int LONGEST_NAME = 55;

  private final Map<Role, Column> columns;
  private final List<String> mistakes = new ArrayList<>();

  private Adoption(Map<Role, Column> columns) {
    this.columns = columns;
  }

  static List<String> mistakes(
      String name, TableName table, Map<Role, Column> columns, @Nullable Lifecycle lifecycle) {
    Adoption adoption = new Adoption(columns);
    adoption.names(name, table);
    if (lifecycle == null) {
      adoption.mistakes.add(
          "it has no lifecycle; choose status, published-at, processed-flag or leased");
    } else if (lifecycle instanceof Claimed || lifecycle instanceof Log) {
      adoption.mistakes.add(
          "its lifecycle cannot be claimed or log, which need a table of our own with its columns and indexes;"
              + " choose status, published-at, processed-flag or leased");
    } else {
      adoption.missing(lifecycle);
      adoption.superfluous(lifecycle);
      adoption.types(lifecycle);
    }
    adoption.sharedColumns();
    return adoption.mistakes;
  }

  private void names(String name, TableName table) {
    if (name.isBlank()) {
      mistakes.add("the layout's name must not be blank");
    }
    if (Presets.NAMES.contains(name)) {
      mistakes.add("'" + name + "' is the name of a preset; choose another name for the layout");
    }
    if (table.name().length() > LONGEST_NAME) {
      mistakes.add(
          "the table's name has %d characters, and the tables beside it need it to have at most %d"
              .formatted(table.name().length(), LONGEST_NAME));
    }
  }

  private void missing(Lifecycle lifecycle) {
    for (Role needed : Layout.neededBy(lifecycle)) {
      if (!columns.containsKey(needed)) {
        String or = needed == Role.KEY ? " or AGGREGATE_ID" : "";
        mistakes.add(
            "there is no column for %s%s, which the %s lifecycle needs"
                .formatted(needed, or, word(lifecycle)));
      }
    }
    if (!columns.containsKey(Role.TYPE) && !columns.containsKey(Role.TOPIC)) {
      mistakes.add("there is no column for TYPE or TOPIC; without one no event has a destination");
    }
    if (!columns.containsKey(Role.SEQ)
        && !columns.containsKey(Role.CREATED_AT)
        && !(lifecycle instanceof Leased)) {
      mistakes.add("there is no column for SEQ or CREATED_AT; without one events have no order");
    }
    if (columns.containsKey(Role.DEDUPE_KEY)
        && !(columns.containsKey(Role.NAMESPACE) && columns.containsKey(Role.TOPIC))) {
      mistakes.add("DEDUPE_KEY is unique per NAMESPACE and TOPIC; name columns for both");
    }
  }

  /** A column that the lifecycle neither reads nor writes would stay as it is for ever. */
  private void superfluous(Lifecycle lifecycle) {
    Set<Role> unused = EnumSet.noneOf(Role.class);
    if (lifecycle instanceof Leased) {
      unused.addAll(List.of(Role.SEQ, Role.DELIVERED_AT, Role.PROCESSED));
    } else {
      unused.addAll(List.of(Role.LOCKED_BY, Role.LOCKED_UNTIL));
      if (!(lifecycle instanceof Status)) {
        unused.add(Role.STATUS);
      }
      if (!(lifecycle instanceof ProcessedFlag)) {
        unused.add(Role.PROCESSED);
      }
    }
    unused.retainAll(columns.keySet());
    for (Role role : unused) {
      mistakes.add(
          "the %s lifecycle has no use for %s; leave column %s out"
              .formatted(word(lifecycle), role, column(role).name()));
    }
  }

  private void types(Lifecycle lifecycle) {
    columns.forEach(
        (role, column) -> {
          if (!ColumnType.fits(role, column.type(), lifecycle)) {
            mistakes.add(
                "column %s for %s is %s; it must be %s"
                    .formatted(
                        column.name(),
                        role,
                        column.type(),
                        String.join(" or ", ColumnType.fitting(role, lifecycle))));
          }
        });
  }

  /** The key may be a column of another meaning too, and a number that rises is also an id. */
  private void sharedColumns() {
    for (Role role : columns.keySet()) {
      for (Role other : columns.keySet()) {
        boolean same = column(role).name().equals(column(other).name());
        if (role.compareTo(other) < 0 && same && !mayShare(role, other)) {
          mistakes.add(
              "column %s cannot be both %s and %s".formatted(column(role).name(), role, other));
        } else if (role.compareTo(other) < 0 && same && !column(role).equals(column(other))) {
          mistakes.add(
              "column %s is %s for %s and %s for %s; it has one type"
                  .formatted(
                      column(role).name(), column(role).type(), role, column(other).type(), other));
        }
      }
    }
  }

  private static boolean mayShare(Role role, Role other) {
    Set<Role> both = EnumSet.of(role, other);
    return both.equals(EnumSet.of(Role.ID, Role.SEQ))
        || both.equals(EnumSet.of(Role.KEY, Role.AGGREGATE_ID))
        || both.equals(EnumSet.of(Role.KEY, Role.TENANT));
  }

  private Column column(Role role) {
    Column column = columns.get(role);
    if (column == null) {
      throw new IllegalStateException("no column for " + role);
    }
    return column;
  }

  private static String word(Lifecycle lifecycle) {
    if (lifecycle instanceof Leased) {
      return "leased";
    }
    if (lifecycle instanceof PublishedAt) {
      return "published-at";
    }
    return lifecycle instanceof ProcessedFlag ? "processed-flag" : "status";
  }
}
