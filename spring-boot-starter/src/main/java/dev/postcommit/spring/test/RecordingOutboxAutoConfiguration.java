package dev.postcommit.spring.test;

import dev.postcommit.PayloadSerializer;
import dev.postcommit.layout.Layout;
import dev.postcommit.spring.OutboxAutoConfiguration;
import dev.postcommit.spring.OutboxDataSource;
import dev.postcommit.spring.RecordedTopics;
import dev.postcommit.spring.SharedConfiguration;
import dev.postcommit.spring.settings.SpringSettings;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The outbox of a test; it replaces all of {@link OutboxAutoConfiguration}. */
@AutoConfiguration
@Import(SharedConfiguration.class)
class RecordingOutboxAutoConfiguration {

  @Bean
  RecordingOutbox recordingOutbox(
      Layout layout,
      SpringSettings settings,
      ListableBeanFactory beans,
      ObjectProvider<PayloadSerializer> serializer) {
    @Nullable DataSource dataSource =
        beans.getBeanNamesForType(DataSource.class).length == 0
            ? null
            : OutboxDataSource.of(settings, beans).dataSource();
    return new RecordingOutbox(
        layout,
        dataSource,
        RecordedTopics.areKafkas(settings, layout, beans),
        serializer.getIfAvailable());
  }
}
