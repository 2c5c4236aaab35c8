package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.table;

import dev.postcommit.NoTransactionException;
import dev.postcommit.Outbox;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** R9: data sources that are not what they seem, and jOOQ, which is given one. */
class ProxiesIT {
  private static Orders orders;

  private final AtomicInteger wakeUps = new AtomicInteger();

  @BeforeAll
  static void start() {
    orders = new Orders();
  }

  @AfterAll
  static void stop() {
    orders.close();
  }

  private SpringOutbox outbox(DataSource dataSource) {
    return new TransactionalOutbox(dataSource, Outbox.create(), wakeUps::incrementAndGet);
  }

  private void joins(int id, DataSource dataSource) {
    SpringOutbox outbox = outbox(dataSource);
    JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    TransactionTemplate template =
        new TransactionTemplate(new DataSourceTransactionManager(dataSource));

    template.executeWithoutResult(
        status -> {
          Orders.insert(jdbc, id);
          outbox.enqueue(Orders.placed(id));
        });
    template.executeWithoutResult(
        status -> {
          Orders.insert(jdbc, id + 1);
          outbox.enqueue(Orders.placed(id + 1));
          status.setRollbackOnly();
        });
    assertThatThrownBy(() -> outbox.enqueue(Orders.placed(id + 1)))
        .isInstanceOf(NoTransactionException.class);

    assertThat(orders.rows(id)).isEqualTo(1);
    assertThat(orders.events(id)).isEqualTo(1);
    assertThat(orders.rows(id + 1)).isZero();
    assertThat(orders.events(id + 1)).isZero();
  }

  @Test
  void aDataSourceThatKnowsOfTransactions() {
    joins(1, new TransactionAwareDataSourceProxy(orders.database().dataSource()));
  }

  @Test
  void aDataSourceThatConnectsWhenItHasTo() {
    joins(3, new LazyConnectionDataSourceProxy(orders.database().dataSource()));
  }

  @Test
  void oneAroundTheOther() {
    joins(
        5,
        new TransactionAwareDataSourceProxy(
            new LazyConnectionDataSourceProxy(orders.database().dataSource())));
  }

  @Test
  @DisplayName("R9: rows written by jOOQ and the event share their fate")
  void jooqJoinsToo() {
    DataSource dataSource = orders.database().dataSource();
    DSLContext jooq =
        DSL.using(
            new DefaultConfiguration()
                .set(SQLDialect.POSTGRES)
                .set(
                    new DataSourceConnectionProvider(
                        new TransactionAwareDataSourceProxy(dataSource))));
    SpringOutbox outbox = outbox(dataSource);
    TransactionTemplate template =
        new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    for (int id : new int[] {7, 8}) {
      template.executeWithoutResult(
          status -> {
            int rows =
                jooq.insertInto(table("orders"), field("id"), field("status"))
                    .values(id, "placed")
                    .execute();
            assertThat(rows).isEqualTo(1);
            outbox.enqueue(Orders.placed(id));
            if (id == 8) {
              status.setRollbackOnly();
            }
          });
    }

    assertThat(orders.rows(7)).isEqualTo(1);
    assertThat(orders.events(7)).isEqualTo(1);
    assertThat(orders.rows(8)).isZero();
    assertThat(orders.events(8)).isZero();
  }

  @Test
  void aRelayIsWokenOnceAfterACommitAndNeverAfterARollback() {
    DataSource dataSource = orders.database().dataSource();
    SpringOutbox outbox = outbox(dataSource);
    TransactionTemplate template =
        new TransactionTemplate(new DataSourceTransactionManager(dataSource));

    template.executeWithoutResult(
        status -> {
          outbox.enqueue(Orders.placed(9));
          outbox.enqueue(Orders.placed(10));
          assertThat(wakeUps).hasValue(0);
        });
    assertThat(wakeUps).hasValue(1);

    template.executeWithoutResult(
        status -> {
          outbox.enqueue(Orders.placed(11));
          status.setRollbackOnly();
        });
    assertThat(wakeUps).hasValue(1);
  }
}
