package dev.postcommit.internal.check;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.postcommit.internal.Identifiers;
import dev.postcommit.internal.check.Privilege.Kind;
import dev.postcommit.internal.check.Privilege.Right;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The privileges that the database users of an outbox table need: the one place that says so. The
 * check at the start and the GRANTs that are printed both come from here, so a statement that needs
 * another privilege needs a line here.
 */
public final class Privileges {

  /** What a database user does. */
  public enum Task {
    /** Writes events. */
    WRITE,
    /** Delivers events. */
    DELIVER,
    /** Shows relays to operators, heeds a pause, and exchanges which topics take no messages. */
    SHOW,
    /** Deletes delivered events when they are old. */
    PRUNE,
    /** Sees what standbys have. */
    WATCH,
    /** Operates a table: status, dead events, pauses, topics, pruning. */
    OPERATE
  }

  /** The columns that a relay changes. */
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

  /** The columns that a replay changes: see {@code DecisionSql}. */
  private static final Set<Role> REPLAYED =
      EnumSet.of(Role.STATUS, Role.PROCESSED, Role.ATTEMPTS, Role.DUE_AT, Role.UPDATED_AT);

  private static final Right[] ALL = {Right.SELECT, Right.INSERT, Right.UPDATE, Right.DELETE};

  /** Tells which cluster a log's transaction ids are of. */
  static final String CLUSTER = "pg_control_system()";

  /** The role whose members see where standbys are. */
  public static final String STATISTICS = "pg_read_all_stats";

  private record On(Kind kind, String object) {}

  /** By object and right, the columns; none stands for the whole object. */
  private final Map<On, Map<Right, Set<String>>> needed = new LinkedHashMap<>();

  private Privileges() {}

  /** The statements that grant all a user needs for these tasks, one for each object. */
  public static List<String> grants(Layout layout, Collection<Task> tasks, String user) {
    return byObject(of(layout, tasks)).stream()
        .map(rights -> Privilege.grant(rights, user))
        .toList();
  }

  static Collection<List<Privilege>> byObject(List<Privilege> privileges) {
    return privileges.stream()
        .collect(groupingBy(Privilege::object, LinkedHashMap::new, toList()))
        .values();
  }

  /** What a user needs for these tasks on the tables of {@code layout}, by object. */
  static List<Privilege> of(Layout layout, Collection<Task> tasks) {
    Privileges privileges = new Privileges();
    if (layout.table().schema() != null) {
      privileges.add(
          Kind.SCHEMA, Identifiers.quoted(layout.table().schema()), Right.USAGE, Set.of());
    }
    new TreeSet<>(tasks).forEach(task -> privileges.add(layout, task));
    List<Privilege> all = new ArrayList<>();
    privileges.needed.forEach(
        (on, rights) ->
            rights.forEach(
                (right, columns) ->
                    all.add(new Privilege(on.kind(), on.object(), right, List.copyOf(columns)))));
    return all;
  }

  private void add(Layout layout, Task task) {
    switch (task) {
      case WRITE -> write(layout);
      case DELIVER -> deliver(layout);
      case SHOW -> {
        table(layout.relays(), ALL);
        table(layout.pause(), Right.SELECT);
        table(layout.topics(), ALL);
      }
      case PRUNE -> prune(layout);
      case WATCH -> add(Kind.ROLE, STATISTICS, Right.MEMBER, Set.of());
      case OPERATE -> operate(layout);
    }
  }

  /** SELECT is for dedupe keys: a writer learns which event has its key already. */
  private void write(Layout layout) {
    table(layout.table(), Right.INSERT);
    layout.headers().ifPresent(headers -> table(headers, Right.INSERT));
    if (layout.dedupeKeys().isPresent()) {
      table(layout.dedupeKeys().get(), Right.SELECT, Right.INSERT);
      TableName diverted = layout.diverted().orElseThrow().table();
      table(diverted, Right.INSERT);
      columns(layout.table(), Right.SELECT, columns(layout, EnumSet.of(Role.ID)));
      columns(diverted, Right.SELECT, columns(layout, EnumSet.of(Role.ID)));
    } else if (layout.column(Role.DEDUPE_KEY).isPresent()) {
      columns(
          layout.table(),
          Right.SELECT,
          columns(layout, EnumSet.of(Role.ID, Role.NAMESPACE, Role.TOPIC, Role.DEDUPE_KEY)));
    }
  }

  private void deliver(Layout layout) {
    table(layout.table(), Right.SELECT);
    if (layout.isLog()) {
      // Rows that came from another cluster get transaction ids of this one.
      columns(layout.table(), Right.UPDATE, Set.of("xid"));
      table(layout.cursor().orElseThrow(), Right.SELECT, Right.UPDATE);
      add(Kind.SEQUENCE, layout.table().withSuffix("_seq"), Right.SELECT);
      add(Kind.FUNCTION, CLUSTER, Right.EXECUTE, Set.of());
      Layout diverted = layout.diverted().orElseThrow();
      deliver(diverted);
      table(diverted.table(), Right.INSERT);
      return;
    }
    columns(layout.table(), Right.UPDATE, columns(layout, SETTLED));
    layout.claims().ifPresent(claims -> table(claims, ALL));
    layout.failures().ifPresent(failures -> table(failures, ALL));
    layout.headers().ifPresent(headers -> table(headers, Right.SELECT));
    if (!layout.keepsDelivered()) {
      delete(layout);
    }
  }

  private void prune(Layout layout) {
    if (layout.keepsDelivered()) {
      delete(layout);
    }
    if (layout.cursor().isPresent()) {
      table(layout.cursor().get(), Right.SELECT);
    } else {
      // Rows are locked before they are deleted, which takes a right to change them.
      columns(layout.table(), Right.UPDATE, columns(layout, SETTLED));
    }
    layout.diverted().ifPresent(this::prune);
    layout.dedupeKeys().ifPresent(keys -> table(keys, Right.SELECT, Right.DELETE));
  }

  private void delete(Layout layout) {
    table(layout.table(), Right.SELECT, Right.DELETE);
    layout.failures().ifPresent(failures -> table(failures, Right.SELECT, Right.DELETE));
    layout.headers().ifPresent(headers -> table(headers, Right.SELECT, Right.DELETE));
  }

  private void operate(Layout layout) {
    delete(layout);
    table(layout.relays(), Right.SELECT);
    table(layout.pause(), Right.SELECT, Right.INSERT, Right.UPDATE);
    table(layout.topics(), Right.SELECT, Right.UPDATE);
    if (layout.cursor().isPresent()) {
      table(layout.cursor().get(), Right.SELECT);
      add(Kind.SEQUENCE, layout.table().withSuffix("_seq"), Right.SELECT);
      layout.dedupeKeys().ifPresent(keys -> table(keys, Right.SELECT, Right.DELETE));
    }
    decide(layout.diverted().orElse(layout));
  }

  /** To replay and discard dead events. */
  private void decide(Layout layout) {
    delete(layout);
    Set<Role> replayed = EnumSet.copyOf(REPLAYED);
    if (layout.isHeld()) {
      replayed.add(Role.DELIVERED_AT);
    }
    columns(layout.table(), Right.UPDATE, columns(layout, replayed));
    if (layout.lifecycle().processedFlag().isPresent()) {
      // Their rows are locked, as they say what is dead.
      layout.failures().ifPresent(failures -> table(failures, Right.UPDATE));
    }
    layout.claims().ifPresent(claims -> table(claims, Right.SELECT));
    table(layout.audit(), Right.SELECT, Right.INSERT);
  }

  private void table(TableName name, Right... rights) {
    for (Right right : rights) {
      add(Kind.TABLE, name, right);
    }
  }

  private void columns(TableName name, Right right, Set<String> columns) {
    add(Kind.TABLE, Privilege.name(name), right, columns);
  }

  private void add(Kind kind, TableName name, Right right) {
    add(kind, Privilege.name(name), right, Set.of());
  }

  /** Adds a right; one on the whole object includes those on its columns. */
  private void add(Kind kind, String object, Right right, Set<String> columns) {
    Map<Right, Set<String>> rights =
        needed.computeIfAbsent(new On(kind, object), on -> new TreeMap<>());
    rights.merge(
        right,
        new TreeSet<>(columns),
        (before, more) -> {
          if (before.isEmpty() || more.isEmpty()) {
            return new TreeSet<>();
          }
          before.addAll(more);
          return before;
        });
  }

  private static Set<String> columns(Layout layout, Set<Role> roles) {
    Set<String> names = new TreeSet<>();
    roles.forEach(role -> layout.column(role).map(Column::name).ifPresent(names::add));
    return names;
  }
}
