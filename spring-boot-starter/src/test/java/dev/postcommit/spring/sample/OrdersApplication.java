package dev.postcommit.spring.sample;

import dev.postcommit.Event;
import dev.postcommit.spring.SpringOutbox;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@SpringBootApplication
public class OrdersApplication {
  public static void main(String[] args) {
    SpringApplication.run(OrdersApplication.class, args);
  }

  @Service
  static class OrderService {
    private final JdbcClient jdbc;
    private final SpringOutbox outbox;

    OrderService(JdbcClient jdbc, SpringOutbox outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    @Transactional
    public void place(String id, String json) {
      jdbc.sql("INSERT INTO orders VALUES (?, ?::jsonb)").params(id, json).update();
      outbox.enqueue(Event.builder("order.placed").aggregate("order", id).json(json).build());
    }
  }
}
