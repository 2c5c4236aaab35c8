package dev.postcommit.spring;

import dev.postcommit.spring.internal.CurrentTransaction;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The data source that has the outbox table.
 *
 * @param dataSource as the transaction managers know it
 */
record OutboxDataSource(DataSource dataSource) {

  /** The one that is named, or else the only one, or else the primary one. */
  static OutboxDataSource of(@Nullable String name, ListableBeanFactory beans) {
    List<String> names = List.of(beans.getBeanNamesForType(DataSource.class));
    if (name != null && !names.contains(name)) {
      throw Given.invalid("data-source", name, "the data sources are " + String.join(", ", names));
    }
    @Nullable DataSource found =
        name == null
            ? beans.getBeanProvider(DataSource.class).getIfUnique()
            : beans.getBean(name, DataSource.class);
    if (found == null) {
      throw new SetupException(
          "there are several data sources (%s), and none is primary"
              .formatted(String.join(", ", names)),
          "set postcommit.data-source to the name of the one with the outbox table");
    }
    return new OutboxDataSource(CurrentTransaction.target(found));
  }
}
