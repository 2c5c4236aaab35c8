package dev.postcommit.server.web;

import dev.postcommit.server.Relays;
import java.util.Objects;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** What answers operators' requests; there only if they are to be answered. */
@Configuration(proxyBeanMethods = false)
class AdminConfiguration implements WebMvcConfigurer {

  /** What the paths of all requests begin with, but for that of their description. */
  static final String ROOT = "/api/v1";

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(new KnownParameters());
  }

  @Bean
  Gate gate(WebSettings settings) {
    return new Gate(Objects.requireNonNull(settings.adminToken(), "admin-token"));
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
  Desk desk(Relays relays) {
    return new Desk(relays);
  }

  @Bean
  RelayController relayController(Relays relays, Desk desk) {
    return new RelayController(relays, desk);
  }

  @Bean
  DeadController deadController(Desk desk) {
    return new DeadController(desk);
  }

  @Bean
  TopicController topicController(Desk desk) {
    return new TopicController(desk);
  }

  @Bean
  DescriptionController descriptionController() {
    return new DescriptionController();
  }
}
