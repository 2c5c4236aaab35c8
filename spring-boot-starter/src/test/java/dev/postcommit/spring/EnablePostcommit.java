package dev.postcommit.spring;

import dev.postcommit.spring.relay.HealthAutoConfiguration;
import dev.postcommit.spring.relay.KafkaPublisherAutoConfiguration;
import dev.postcommit.spring.relay.MetricsAutoConfiguration;
import dev.postcommit.spring.relay.PubSubPublisherAutoConfiguration;
import dev.postcommit.spring.relay.RelayAutoConfiguration;
import dev.postcommit.spring.relay.TracingAutoConfiguration;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;

/** An application with JDBC and Postcommit, and nothing else that is on the tests' class path. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration({
  JacksonAutoConfiguration.class,
  DataSourceAutoConfiguration.class,
  DataSourceTransactionManagerAutoConfiguration.class,
  JdbcClientAutoConfiguration.class,
  JdbcTemplateAutoConfiguration.class,
  TransactionAutoConfiguration.class,
  TransactionManagerCustomizationAutoConfiguration.class,
  ApplicationEventsAutoConfiguration.class,
  HealthAutoConfiguration.class,
  KafkaPublisherAutoConfiguration.class,
  MetricsAutoConfiguration.class,
  MigrationAutoConfiguration.class,
  OutboxAutoConfiguration.class,
  PayloadAutoConfiguration.class,
  PubSubPublisherAutoConfiguration.class,
  RelayAutoConfiguration.class,
  TracingAutoConfiguration.class
})
@interface EnablePostcommit {}
