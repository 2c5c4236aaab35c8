package dev.postcommit.spring;

import dev.postcommit.PayloadDeserializer;
import dev.postcommit.PayloadSerializer;
import dev.postcommit.jackson.JacksonPayloads;
import dev.postcommit.spring.settings.SetupException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.databind.json.JsonMapper;

/** Objects as payloads, in the application's own JSON. */
@AutoConfiguration(
    afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass({JacksonPayloads.class, JsonMapper.class})
public class PayloadAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  PayloadSerializer postcommitPayloadSerializer(ListableBeanFactory beans) {
    Supplier<JacksonPayloads> payloads = SingletonSupplier.of(() -> payloads(beans));
    return object -> payloads.get().serialize(object);
  }

  @Bean
  @Lazy
  @ConditionalOnMissingBean
  @SuppressWarnings("UnnecessaryMethodReference") // the bean must not be a PayloadSerializer too
  PayloadDeserializer postcommitPayloadDeserializer(ListableBeanFactory beans) {
    return payloads(beans)::deserialize;
  }

  /**
   * With the only or primary mapper of the application, or one of our own if it has none. Looked up
   * on first use: an application that writes no objects may have several mappers.
   */
  private static JacksonPayloads payloads(ListableBeanFactory beans) {
    ObjectProvider<JsonMapper> mappers = beans.getBeanProvider(JsonMapper.class);
    if (mappers.stream().findAny().isEmpty()) {
      return JacksonPayloads.create();
    }
    @Nullable JsonMapper mapper = mappers.getIfUnique();
    if (mapper == null) {
      String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, JsonMapper.class);
      throw new SetupException(
          "there are several beans of type JsonMapper (%s), and none is primary"
              .formatted(String.join(", ", names)),
          "mark the one for events as @Primary, or define beans of type PayloadSerializer and"
              + " PayloadDeserializer");
    }
    return JacksonPayloads.of(mapper);
  }
}
