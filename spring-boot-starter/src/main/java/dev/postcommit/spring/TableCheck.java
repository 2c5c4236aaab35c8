package dev.postcommit.spring;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.store.LayoutCheck;
import java.util.LinkedHashSet;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Checks the outbox table when the application starts, so that a missing table is not found by the
 * first event. If the database does not answer, the check is skipped.
 */
final class TableCheck implements SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(TableCheck.class);

  private final DataSource dataSource;
  private final Layout layout;
  private final ObjectProvider<TableRequirement> requirements;

  TableCheck(DataSource dataSource, Layout layout, ObjectProvider<TableRequirement> requirements) {
    this.dataSource = dataSource;
    this.layout = layout;
    this.requirements = requirements;
  }

  @Override
  public void afterSingletonsInstantiated() {
    LayoutCheck check;
    try {
      check = LayoutCheck.of(dataSource, layout);
    } catch (PostcommitException e) {
      log.warn("could not look at the table {}: {}", layout.table(), e.getMessage());
      return;
    }
    if (!check.tableExists()) {
      throw new SetupException(
          "there is no table %s in the database".formatted(layout.table()),
          howToMake()
              + "; or, if this application writes no events, set postcommit.outbox.enabled=false");
    }
    LinkedHashSet<String> problems = new LinkedHashSet<>(check.outbox());
    requirements.forEach(requirement -> problems.addAll(requirement.problems(check)));
    if (!problems.isEmpty()) {
      throw new SetupException(
          "the table %s does not fit the %s layout:%n  %s"
              .formatted(
                  layout.table(),
                  layout.name(),
                  String.join(System.lineSeparator() + "  ", problems)),
          "set postcommit.migrate=true, or do what each line says");
    }
  }

  private String howToMake() {
    return layout.isPreset()
        ? "set postcommit.migrate=true and add the dependency dev.postcommit:postcommit-flyway, or"
            + " run './postcommit migrate', or have your own Flyway run the scripts, as"
            + " docs/spring/flyway.md says"
        : "create it, or correct its name";
  }
}
