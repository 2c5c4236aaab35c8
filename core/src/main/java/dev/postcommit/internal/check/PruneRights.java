package dev.postcommit.internal.check;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.check.PrivilegeCheck.Lack;
import dev.postcommit.internal.check.Privileges.Task;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Runs the steps of a prune; if a privilege is missing, the failure says what to GRANT. */
public final class PruneRights {
  private static final String DENIED = "42501";

  private final Database database;

  public PruneRights(Database database) {
    this.database = database;
  }

  /** Runs one step of a prune. */
  public <T> T run(Database.Work<T> step) {
    try {
      return database.run("prune", step);
    } catch (PostcommitException e) {
      if (e.getCause() instanceof SQLException cause && DENIED.equals(cause.getSQLState())) {
        List<String> grants = missing(e);
        if (!grants.isEmpty()) {
          throw new PostcommitException(e.getMessage() + "; " + String.join("; ", grants), cause);
        }
      }
      throw e;
    }
  }

  /** The same with one statement. */
  public <T> T run(NamedSql sql, Database.StatementWork<T> step) {
    return run(connection -> sql.run(connection, step));
  }

  private List<String> missing(PostcommitException failure) {
    try {
      return database.run(
          "check the rights on",
          connection ->
              PrivilegeCheck.of(connection, database.layout(), Set.of(Task.PRUNE)).stream()
                  .map(Lack::grant)
                  .toList());
    } catch (PostcommitException e) {
      failure.addSuppressed(e);
      return List.of();
    }
  }
}
