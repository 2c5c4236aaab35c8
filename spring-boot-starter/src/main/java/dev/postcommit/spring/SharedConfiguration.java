package dev.postcommit.spring;

import dev.postcommit.layout.Layout;
import dev.postcommit.settings.ConfiguredLayout;
import dev.postcommit.spring.internal.CommitWatch;
import dev.postcommit.spring.settings.SpringSettings;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.transaction.ConfigurableTransactionManager;

/** What every kind of outbox needs: the settings, the layout, and the ends of transactions. */
@Configuration(proxyBeanMethods = false)
public class SharedConfiguration {
  static final String LAYOUT = "postcommitLayout";

  @Bean
  SpringSettings postcommitSettings(Environment environment) {
    return SpringSettings.checked(environment);
  }

  @Bean(LAYOUT)
  @ConditionalOnMissingBean(Layout.class)
  Layout postcommitLayout(SpringSettings settings) {
    Layout layout = ConfiguredLayout.of(settings);
    ConfiguredLayout.checkAttempts(settings, layout);
    return layout;
  }

  /** Watches transactions, also those of transaction managers that the application defines. */
  @Bean
  static SmartInitializingSingleton postcommitCommitWatch(
      ObjectProvider<ConfigurableTransactionManager> managers) {
    return () -> managers.forEach(manager -> manager.addListener(CommitWatch.EVERY_TRANSACTION));
  }
}
