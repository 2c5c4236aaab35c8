package dev.postcommit.server.http;

import java.util.Objects;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The admin API; only loaded if that is configured. */
@Configuration(proxyBeanMethods = false)
@Import({
  Problems.class,
  ServerErrors.class,
  AdminResponses.class,
  RelayController.class,
  DeadController.class,
  TopicController.class,
  DescriptionController.class
})
class AdminConfiguration implements WebMvcConfigurer {

  /** The prefix of the paths of all requests except the description. */
  static final String ROOT = "/api/v1";

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(new KnownParameters());
  }

  @Bean
  TokenFilter tokenFilter(WebSettings settings) {
    return new TokenFilter(Objects.requireNonNull(settings.adminToken(), "admin-token"));
  }
}
