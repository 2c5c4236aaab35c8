package dev.postcommit.kafka;

import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.testkit.broker.PublishOnlyContract;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.kafka.KafkaServer;
import java.util.List;

class PublishOnlyIT extends PublishOnlyContract {

  @Override
  protected List<String> broker(String topic) {
    KafkaServer.shared().createTopic(topic, 1);
    return List.of(KafkaServer.shared().bootstrapServers());
  }

  @Override
  protected Publisher publisher(List<String> broker, String topic) {
    return KafkaPublisher.builder().bootstrapServers(broker.get(0)).build();
  }

  @Override
  protected List<Message> read(String topic) {
    return KafkaReader.read(KafkaServer.shared().bootstrapServers(), topic, 1);
  }
}
