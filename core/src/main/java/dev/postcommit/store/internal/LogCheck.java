package dev.postcommit.store.internal;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.internal.Catalogue.Table;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what keeps a relay from leading a log, besides its tables: see {@link LogSql}. */
final class LogCheck {
  private static final String CLUSTER = "pg_control_system()";

  private LogCheck() {}

  static List<String> problems(Catalogue catalogue, Layout layout, Table table)
      throws SQLException {
    List<String> problems = new ArrayList<>();
    TableName name = layout.table().withSuffix("_seq");
    @Nullable Table sequence = catalogue.sequence(name).orElse(null);
    if (sequence == null) {
      problems.add(
          "there is no sequence %s, which numbers the rows; rename the one of column %s to that"
              .formatted(name, layout.required(Role.SEQ).name()));
    } else if (sequence.missingRights().contains("SELECT")) {
      problems.add(CatalogueCheck.denied(sequence, "SELECT on " + name, "SELECT"));
    }
    if (!catalogue.mayCall(CLUSTER)) {
      problems.add(
          CatalogueCheck.denied(table, "EXECUTE " + CLUSTER, "EXECUTE ON FUNCTION " + CLUSTER));
    }
    return problems;
  }
}
