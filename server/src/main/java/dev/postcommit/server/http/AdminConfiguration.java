package dev.postcommit.server.http;

import dev.postcommit.server.relay.Relays;
import java.util.Objects;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The admin API; only loaded if that is configured. */
@Configuration(proxyBeanMethods = false)
class AdminConfiguration implements WebMvcConfigurer {

  /** The prefix of the paths of all requests except the description. */
  static final String ROOT = "/api/v1";

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(new KnownParameters());
  }

  @Bean
  TokenFilter gate(WebSettings settings) {
    return new TokenFilter(Objects.requireNonNull(settings.adminToken(), "admin-token"));
  }

  @Bean
  Problems problems() {
    return new Problems();
  }

  @Bean
  ServerErrors serverErrors() {
    return new ServerErrors();
  }

  @Bean
  AdminResponses desk(Relays relays) {
    return new AdminResponses(relays);
  }

  @Bean
  RelayController relayController(Relays relays, AdminResponses desk) {
    return new RelayController(relays, desk);
  }

  @Bean
  DeadController deadController(AdminResponses desk) {
    return new DeadController(desk);
  }

  @Bean
  TopicController topicController(AdminResponses desk) {
    return new TopicController(desk);
  }

  @Bean
  DescriptionController descriptionController() {
    return new DescriptionController();
  }
}
