package dev.postcommit.spring.stock;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** What the event handlers change. */
@Repository
@Transactional
class StockRepository {
  private final JdbcClient jdbc;

  StockRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void reserve(String event, String item, int quantity) {
    if (quantity < 1) {
      throw new IllegalArgumentException("nothing is ordered by " + event);
    }
    jdbc.sql("INSERT INTO reserved VALUES (?, ?)").params(item, quantity).update();
  }
}
