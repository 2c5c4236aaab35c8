package dev.postcommit.spring.consumer;

import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.SpringTransactions;
import dev.postcommit.consumer.inbox.StoreUnavailableException;
import dev.postcommit.consumer.inbox.Transactions;
import dev.postcommit.layout.TableName;
import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.spring.settings.SpringSettings;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;

/** The inbox in the application's database, in transactions of its transaction manager. */
final class PostgresInbox {
  private static final Logger log = LoggerFactory.getLogger(PostgresInbox.class);

  private PostgresInbox() {}

  /**
   * The inbox, after a look at its table. If the database does not answer, that is left out.
   *
   * @throws SetupException if the manager's transactions are not those of the data source, or the
   *     table cannot be used
   */
  static Inbox of(
      SpringSettings settings,
      DataSource dataSource,
      PlatformTransactionManager manager,
      ConsumerGroup group) {
    TableName table = settings.get(ConsumerSettings.INBOX_TABLE);
    JdbcIdempotencyStore store =
        JdbcIdempotencyStore.builder(dataSource, group.name()).table(table).build();
    Transactions transactions = new SpringTransactions(manager, dataSource);
    check(store, transactions, table);
    return Inbox.transactional(store, transactions);
  }

  private static void check(
      JdbcIdempotencyStore store, Transactions transactions, TableName table) {
    try {
      store
          .tableProblem()
          .ifPresent(
              problem -> {
                throw new SetupException(
                    "the inbox of the event handlers cannot be used: " + problem,
                    "set postcommit.migrate=true and add the dependency"
                        + " dev.postcommit:postcommit-flyway, or create the table as"
                        + " docs/spring.md says, or name another with "
                        + ConsumerSettings.INBOX_TABLE.property());
              });
    } catch (StoreUnavailableException e) {
      log.warn("could not look at the table {}: {}", table, e.getMessage());
      return;
    }
    checkManager(transactions);
  }

  /** An empty transaction shows whether the manager's transactions are those of the data source. */
  private static void checkManager(Transactions transactions) {
    try {
      transactions.run(tx -> {});
    } catch (IllegalStateException e) {
      throw new SetupException(
          "the inbox of the event handlers cannot be used: " + e.getMessage(),
          "let the transaction manager of the data source with the inbox be @Primary, or name"
              + " another data source with postcommit.data-source");
    } catch (Exception e) {
      log.warn("could not begin a transaction to see whether it is one of the inbox", e);
    }
  }
}
