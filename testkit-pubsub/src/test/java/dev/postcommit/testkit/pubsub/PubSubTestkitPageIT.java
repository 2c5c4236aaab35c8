package dev.postcommit.testkit.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.GrpcTransportChannel;
import com.google.api.gax.rpc.FixedTransportChannelProvider;
import com.google.cloud.pubsub.v1.Publisher;
import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.relay.Message;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The code on the page of the testkit. */
class PubSubTestkitPageIT {

  @Test
  void startsAServerAndPointsGooglesClientAtIt() throws Exception {
    PubSubServer server = PubSubServer.shared();
    server.createTopic("orders");
    server.createSubscription("orders-test", "orders");

    ManagedChannel channel =
        ManagedChannelBuilder.forTarget(server.emulatorHost()).usePlaintext().build();
    Publisher publisher =
        Publisher.newBuilder(server.topicName("orders"))
            .setChannelProvider(
                FixedTransportChannelProvider.create(GrpcTransportChannel.create(channel)))
            .setCredentialsProvider(NoCredentialsProvider.create())
            .setEnableMessageOrdering(true)
            .build();
    publisher
        .publish(
            PubsubMessage.newBuilder()
                .setOrderingKey("order-1")
                .setData(ByteString.copyFromUtf8("paid"))
                .build())
        .get();

    List<Message> messages = PubSubReader.read(server, "orders-test", 1);

    assertThat(messages.get(0).key()).isEqualTo("order-1");
    assertThat(new String(messages.get(0).body(), StandardCharsets.UTF_8)).isEqualTo("paid");
    publisher.shutdown();
    publisher.awaitTermination(10, TimeUnit.SECONDS);
    PubSubChannels.close(channel);
  }

  @Test
  void makesThingsGoWrong() throws Exception {
    PubSubServer server = PubSubServer.shared();
    server.createTopic("payments");
    server.createSubscription("payments-test", "payments");
    try (PubSubProxy proxy = PubSubProxy.before(server)) {
      ManagedChannel channel =
          ManagedChannelBuilder.forTarget(proxy.emulatorHost()).usePlaintext().build();
      Publisher publisher =
          Publisher.newBuilder(server.topicName("payments"))
              .setChannelProvider(
                  FixedTransportChannelProvider.create(GrpcTransportChannel.create(channel)))
              .setCredentialsProvider(NoCredentialsProvider.create())
              .build();
      PubsubMessage message =
          PubsubMessage.newBuilder().setData(ByteString.copyFromUtf8("paid")).build();

      PubSubProxy.Fault lost = proxy.loseAnswers(request -> true, Status.FAILED_PRECONDITION, 1);
      assertThatThrownBy(() -> publisher.publish(message).get())
          .isInstanceOf(ExecutionException.class);
      publisher.publish(message).get();

      assertThat(lost.count()).isEqualTo(1);
      assertThat(PubSubReader.read(server, "payments-test", 2)).hasSize(2);

      publisher.shutdown();
      publisher.awaitTermination(10, TimeUnit.SECONDS);
      PubSubChannels.close(channel);
    }
  }
}
