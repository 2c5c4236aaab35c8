package dev.postcommit.bench.namastack;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaOperations;

/** A service that writes records and relays them. */
@SpringBootApplication(proxyBeanMethods = false)
class Service {

  @Bean
  Sender sender(KafkaOperations<String, Message> kafka, @Value("${bench.topic}") String topic) {
    return new Sender(kafka, topic);
  }
}
