package dev.postcommit.spring;

import dev.postcommit.layout.TableName;
import java.util.Set;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.core.Ordered;

/**
 * Creates a table and those beside it, before everything that depends on database initialization.
 */
public final class TableInitializer implements InitializingBean {
  private static final Logger log = LoggerFactory.getLogger(TableInitializer.class);

  private final IntSupplier migration;
  private final TableName table;

  /** Runs a migration that returns the number of its steps. */
  public TableInitializer(IntSupplier migration, TableName table) {
    this.migration = migration;
    this.table = table;
  }

  @Override
  public void afterPropertiesSet() {
    int applied = migration.getAsInt();
    if (applied > 0) {
      log.info("{} migrations applied to {}", applied, table);
    }
  }

  /**
   * Has Spring Boot create these tables after the application's own tables, because the
   * application's Flyway refuses to start in a schema that is not empty.
   */
  static final class Detector extends AbstractBeansOfTypeDatabaseInitializerDetector {

    @Override
    protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
      return Set.of(TableInitializer.class);
    }

    @Override
    public int getOrder() {
      return Ordered.LOWEST_PRECEDENCE;
    }
  }
}
