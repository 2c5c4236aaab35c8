package dev.postcommit.spring;

import dev.postcommit.layout.Layout;
import dev.postcommit.settings.ConfiguredLayout;
import dev.postcommit.spring.settings.SpringSettings;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The settings, and the layout that they or a bean of the application describe. */
@Configuration(proxyBeanMethods = false)
public class LayoutConfiguration {
  static final String BEAN = "postcommitLayout";

  @Bean
  SpringSettings postcommitSettings(Environment environment) {
    return SpringSettings.checked(environment);
  }

  @Bean(BEAN)
  @ConditionalOnMissingBean(Layout.class)
  Layout postcommitLayout(SpringSettings settings) {
    Layout layout = ConfiguredLayout.of(settings);
    ConfiguredLayout.checkAttempts(settings, layout);
    return layout;
  }
}
