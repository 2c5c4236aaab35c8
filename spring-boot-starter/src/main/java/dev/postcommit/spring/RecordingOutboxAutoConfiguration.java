package dev.postcommit.spring;

import dev.postcommit.layout.Layout;
import dev.postcommit.spring.test.RecordingOutbox;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The outbox of a test; all of {@link OutboxAutoConfiguration} makes way for it. */
@AutoConfiguration
@Import({LayoutConfiguration.class, CommitWatchConfiguration.class})
class RecordingOutboxAutoConfiguration {

  /** Set by the annotation of a test; what there is in its place depends on it. */
  static final String PROPERTY = "spring.test.postcommit.recording";

  @Bean
  RecordingOutbox recordingOutbox(
      Layout layout, PostcommitSettings settings, ListableBeanFactory beans) {
    @Nullable DataSource dataSource =
        beans.getBeanNamesForType(DataSource.class).length == 0
            ? null
            : OutboxDataSource.of(settings.dataSource(), beans).dataSource();
    return new RecordingOutbox(
        layout, dataSource, RecordedTopics.areKafkas(settings, layout, beans));
  }
}
