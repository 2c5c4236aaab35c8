package dev.postcommit.spring;

import dev.postcommit.PayloadSerializer;
import dev.postcommit.jackson.JacksonPayloads;
import dev.postcommit.spring.settings.SetupException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

/** Objects as payloads, in the application's own JSON. */
@AutoConfiguration(after = JacksonAutoConfiguration.class)
@ConditionalOnClass({JacksonPayloads.class, JsonMapper.class})
public class PayloadAutoConfiguration {

  /** With the only or primary mapper of the application, or one of our own if it has none. */
  @Bean
  @ConditionalOnMissingBean(PayloadSerializer.class)
  JacksonPayloads postcommitPayloads(ListableBeanFactory beans) {
    String[] names = beans.getBeanNamesForType(JsonMapper.class);
    if (names.length == 0) {
      return JacksonPayloads.create();
    }
    @Nullable JsonMapper mapper = beans.getBeanProvider(JsonMapper.class).getIfUnique();
    if (mapper == null) {
      throw new SetupException(
          "there are several beans of type JsonMapper (%s), and none is primary"
              .formatted(String.join(", ", names)),
          "mark the one for events as @Primary, or define a bean of type PayloadSerializer");
    }
    return JacksonPayloads.of(mapper);
  }
}
