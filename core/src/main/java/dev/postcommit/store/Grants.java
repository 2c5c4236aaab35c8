package dev.postcommit.store;

import dev.postcommit.layout.Layout;
import dev.postcommit.store.internal.Privileges;
import dev.postcommit.store.internal.Privileges.Task;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The GRANT statements for the database users of an outbox table: what each needs, and no more.
 * {@link LayoutCheck} asks for the same.
 */
public final class Grants {
  private Grants() {}

  /** Those of a user who writes events with an {@link dev.postcommit.Outbox}. */
  public static List<String> writer(Layout layout, String user) {
    return Privileges.grants(layout, EnumSet.of(Task.WRITE), user);
  }

  /**
   * Those of a relay's user.
   *
   * @param prunes whether the relay also deletes delivered rows when they are old
   */
  public static List<String> relay(Layout layout, boolean prunes, String user) {
    Set<Task> tasks = EnumSet.of(Task.DELIVER, Task.SHOW);
    if (prunes) {
      tasks.add(Task.PRUNE);
    }
    return Privileges.grants(layout, tasks, user);
  }

  /** Those of a user with whom operators look after the table: see {@link OutboxAdmin}. */
  public static List<String> operator(Layout layout, String user) {
    return Privileges.grants(layout, EnumSet.of(Task.OPERATE), user);
  }
}
