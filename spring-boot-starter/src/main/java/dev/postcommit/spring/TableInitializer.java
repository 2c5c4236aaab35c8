package dev.postcommit.spring;

import dev.postcommit.layout.Layout;
import java.util.Set;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.core.Ordered;

/** Creates the outbox table, before everything that depends on database initialization. */
final class TableInitializer implements InitializingBean {
  private static final Logger log = LoggerFactory.getLogger(TableInitializer.class);

  private final IntSupplier migration;
  private final Layout layout;

  /** Runs a migration that returns the number of its steps. */
  TableInitializer(IntSupplier migration, Layout layout) {
    this.migration = migration;
    this.layout = layout;
  }

  @Override
  public void afterPropertiesSet() {
    int applied = migration.getAsInt();
    if (applied > 0) {
      log.info("{} migrations applied to {}", applied, layout.table());
    }
  }

  /**
   * Has Spring Boot create the outbox table after the application's own tables, because the
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
