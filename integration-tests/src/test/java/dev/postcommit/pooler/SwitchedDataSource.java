package dev.postcommit.pooler;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** A data source that leads elsewhere from some time on. */
final class SwitchedDataSource extends AbstractDataSource {
  private volatile DataSource target;

  SwitchedDataSource(DataSource target) {
    this.target = target;
  }

  void to(DataSource other) {
    target = other;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return target.getConnection();
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return target.getConnection(username, password);
  }
}
