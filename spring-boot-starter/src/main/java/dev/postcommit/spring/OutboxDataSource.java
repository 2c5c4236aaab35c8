package dev.postcommit.spring;

import dev.postcommit.settings.SettingException;
import dev.postcommit.spring.internal.CurrentTransaction;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.spring.settings.SpringSettings;
import dev.postcommit.spring.settings.StarterSettings;
import dev.postcommit.support.Suggestion;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The data source that has the outbox table.
 *
 * @param dataSource as the transaction managers know it
 */
public record OutboxDataSource(DataSource dataSource) {

  /** The one that the settings name, or else the only one, or else the primary one. */
  public static OutboxDataSource of(SpringSettings settings, ListableBeanFactory beans) {
    List<String> names = List.of(beans.getBeanNamesForType(DataSource.class));
    @Nullable String name = settings.find(StarterSettings.DATA_SOURCE).orElse(null);
    if (name != null && !names.contains(name)) {
      throw new SettingException(
          "%s: '%s' is not one of %s%s"
              .formatted(
                  settings.name(StarterSettings.DATA_SOURCE),
                  name,
                  String.join(", ", names),
                  Suggestion.didYouMean(name, names)));
    }
    @Nullable DataSource found =
        name == null
            ? beans.getBeanProvider(DataSource.class).getIfUnique()
            : beans.getBean(name, DataSource.class);
    if (found == null && names.isEmpty()) {
      throw new SetupException("there is no data source", "set spring.datasource.url");
    }
    if (found == null) {
      throw new SetupException(
          "there are several data sources (%s), and none is primary"
              .formatted(String.join(", ", names)),
          "set postcommit.data-source to the name of the one with the outbox table");
    }
    return new OutboxDataSource(CurrentTransaction.target(found));
  }
}
