package dev.postcommit.spring;

import dev.postcommit.layout.Layout;
import java.util.Set;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.core.Ordered;

/** Makes the outbox table, before everything that waits for the database to be initialized. */
final class TableInitializer implements InitializingBean {
  private static final Logger log = LoggerFactory.getLogger(TableInitializer.class);

  private final IntSupplier migration;
  private final Layout layout;

  /** Runs a migration that says how many steps it took. */
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
   * Tells Spring Boot to initialize the outbox table after the application's own tables: a Flyway
   * of the application refuses to begin in a schema that has tables already.
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
