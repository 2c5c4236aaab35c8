package dev.postcommit.layout;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the mistakes in the description of an adopted table. */
final class Adoption {
  /** Leaves room for the longest suffix of a side table. */
  private static final int LONGEST_NAME = 55;

  /** Roles that only some lifecycles read or write. */
  private static final Set<Role> OF_SOME_LIFECYCLES =
      EnumSet.of(Role.STATUS, Role.PROCESSED, Role.LOCKED_BY, Role.LOCKED_UNTIL);

  private final Map<Role, Column> columns;
  private final Map<Role, String> places;
  private final List<String> mistakes = new ArrayList<>();

  private Adoption(Map<Role, Column> columns, Map<Role, String> places) {
    this.columns = columns;
    this.places = places;
  }

  /**
   * The mistakes in a description.
   *
   * @param places where the roles are described, to begin messages with; may lack any
   */
  static List<String> mistakes(
      Map<Role, Column> columns, @Nullable Lifecycle lifecycle, Map<Role, String> places) {
    Adoption adoption = new Adoption(columns, places);
    if (lifecycle == null) {
      adoption.mistakes.add(
          "it has no lifecycle; choose status, published-at, processed-flag or leased");
    } else if (lifecycle.kind().isOwn()) {
      adoption.mistakes.add(
          "its lifecycle cannot be claimed or log, which need a table of our own with its columns and indexes;"
              + " choose status, published-at, processed-flag or leased");
    } else {
      adoption.missing(lifecycle.kind());
      adoption.superfluous(lifecycle.kind());
      adoption.types(lifecycle.kind());
    }
    adoption.sharedColumns();
    return adoption.mistakes;
  }

  /** The mistakes in the names of an adopted table and its layout. */
  static List<String> mistakesInNames(String name, TableName table) {
    List<String> mistakes = new ArrayList<>();
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
    return mistakes;
  }

  private void add(Role role, String mistake) {
    mistakes.add(places.getOrDefault(role, "") + mistake);
  }

  private void missing(LifecycleKind lifecycle) {
    for (Role needed : lifecycle.needs()) {
      if (!columns.containsKey(needed)) {
        String or = needed == Role.KEY ? " or AGGREGATE_ID" : "";
        mistakes.add(
            "there is no column for %s%s, which the %s lifecycle needs"
                .formatted(needed, or, lifecycle));
      }
    }
    if (!columns.containsKey(Role.TYPE) && !columns.containsKey(Role.TOPIC)) {
      mistakes.add("there is no column for TYPE or TOPIC; without one no event has a destination");
    }
    if (!columns.containsKey(Role.SEQ)
        && !columns.containsKey(Role.CREATED_AT)
        && lifecycle != LifecycleKind.LEASED) {
      mistakes.add("there is no column for SEQ or CREATED_AT; without one events have no order");
    }
    if (columns.containsKey(Role.DEDUPE_KEY)
        && !(columns.containsKey(Role.NAMESPACE) && columns.containsKey(Role.TOPIC))) {
      mistakes.add("DEDUPE_KEY is unique per NAMESPACE and TOPIC; name columns for both");
    }
  }

  /** A column that the lifecycle neither reads nor writes would stay as it is for ever. */
  private void superfluous(LifecycleKind lifecycle) {
    Set<Role> unused = EnumSet.copyOf(OF_SOME_LIFECYCLES);
    if (lifecycle == LifecycleKind.LEASED) {
      unused.addAll(List.of(Role.SEQ, Role.DELIVERED_AT));
    }
    unused.removeAll(lifecycle.needs());
    unused.retainAll(columns.keySet());
    for (Role role : unused) {
      add(
          role,
          "the %s lifecycle has no use for %s; leave column %s out"
              .formatted(lifecycle, role, column(role).name()));
    }
  }

  private void types(LifecycleKind lifecycle) {
    columns.forEach(
        (role, column) -> {
          if (!ColumnType.fits(role, column.type(), lifecycle)) {
            add(
                role,
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
          add(
              role,
              "column %s cannot be both %s and %s".formatted(column(role).name(), role, other));
        } else if (role.compareTo(other) < 0 && same && !column(role).equals(column(other))) {
          add(
              role,
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
}
