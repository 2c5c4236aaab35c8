package dev.postcommit.spring;

import dev.postcommit.layout.Layout;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The settings, and the layout that they or a bean of the application describe. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PostcommitSettings.class)
class LayoutConfiguration {
  static final String BEAN = "postcommitLayout";

  @Bean
  Given postcommitGiven(Environment environment) {
    return new Given(environment);
  }

  @Bean(BEAN)
  @ConditionalOnMissingBean(Layout.class)
  Layout postcommitLayout(PostcommitSettings settings, Given given) {
    return Layouts.of(settings, given);
  }
}
