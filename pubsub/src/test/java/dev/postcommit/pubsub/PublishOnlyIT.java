package dev.postcommit.pubsub;

import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.testkit.broker.PublishOnlyContract;
import dev.postcommit.testkit.pubsub.PubSubReader;
import dev.postcommit.testkit.pubsub.PubSubServer;
import java.util.List;

class PublishOnlyIT extends PublishOnlyContract {

  @Override
  protected List<String> broker(String topic) {
    PubSubServer server = PubSubServer.shared();
    server.createTopic(topic);
    server.createSubscription(topic, topic);
    return List.of(server.project(), server.emulatorHost());
  }

  @Override
  protected Publisher publisher(List<String> broker, String topic) {
    PubSubConnection connection = PubSubConnection.of(broker.get(0)).emulator(broker.get(1));
    return PubSubPublisher.builder(connection).topics(topic).build();
  }

  @Override
  protected List<Message> read(String topic) {
    return PubSubReader.read(PubSubServer.shared(), topic, 1);
  }
}
