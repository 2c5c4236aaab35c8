package dev.postcommit.spring.test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** In-memory transactions for {@code @Transactional}. */
@AutoConfiguration
@EnableTransactionManagement(proxyTargetClass = true)
class MemoryTransactionsAutoConfiguration {

  @Bean
  MemoryTransactions transactionManager() {
    return new MemoryTransactions();
  }
}
