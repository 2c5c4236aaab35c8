package dev.postcommit.pubsub.consumer;

import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.cloud.pubsub.v1.stub.GrpcSubscriberStub;
import com.google.cloud.pubsub.v1.stub.SubscriberStub;
import com.google.cloud.pubsub.v1.stub.SubscriberStubSettings;
import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.Subscription;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.internal.ChannelReconnects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Pub/Sub about the subscription. Each question has a connection of its own, so it does not
 * suffer from an older one. For use by one thread.
 */
final class SubscriptionLookup {
  private static final Logger log = LoggerFactory.getLogger(SubscriptionLookup.class);

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String DELETED = "_deleted-topic_";

  private final PubSubConnection connection;
  private final SubscriptionPlan plan;
  private final ChannelReconnects reconnects;
  private boolean warned;

  SubscriptionLookup(
      PubSubConnection connection, SubscriptionPlan plan, ChannelReconnects reconnects) {
    this.connection = connection;
    this.plan = plan;
    this.reconnects = reconnects;
  }

  /**
   * The full name of the subscription's topic, after a check that it can be read as planned.
   *
   * @throws SubscriptionProblem if it cannot
   * @throws com.google.api.gax.rpc.ApiException if Pub/Sub does not answer
   */
  String topic() {
    try (SubscriberStub stub = connect()) {
      return check(
          stub.getSubscriptionCallable()
              .call(
                  GetSubscriptionRequest.newBuilder()
                      .setSubscription(plan.subscription())
                      .build()));
    } catch (NotFoundException e) {
      throw new SubscriptionProblem.Missing(
          "subscription %s does not exist; create it: %s".formatted(plan.subscription(), create()));
    } catch (PermissionDeniedException e) {
      return topicIfForbidden();
    }
  }

  private SubscriberStub connect() {
    try {
      SubscriberStubSettings.Builder settings =
          SubscriberStubSettings.newBuilder()
              .setCredentialsProvider(connection.credentialsProvider())
              .setTransportChannelProvider(connection.channels(reconnects::watching).build());
      settings.getSubscriptionSettings().setSimpleTimeoutNoRetriesDuration(TIMEOUT);
      return GrpcSubscriberStub.create(settings.build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String check(Subscription found) {
    if (plan.ordered() && !found.getEnableMessageOrdering()) {
      throw new SubscriptionProblem.Unordered(
          ("subscription %s does not keep the order of keys, which cannot be changed;"
                  + " delete it and create it anew: %s; or choose ordered(false)")
              .formatted(plan.subscription(), create()));
    }
    @Nullable String given = plan.topic();
    if (given == null && found.getTopic().equals(DELETED)) {
      throw new SubscriptionProblem.WrongTopic(
          "the topic of subscription %s was deleted; say by topic(…) which it was"
              .formatted(plan.subscription()));
    }
    if (given != null && !found.getTopic().equals(given) && !found.getTopic().equals(DELETED)) {
      throw new SubscriptionProblem.WrongTopic(
          "subscription %s is of topic %s and not of %s; correct topic(…), or leave it out"
              .formatted(plan.subscription(), found.getTopic(), given));
    }
    return given == null ? found.getTopic() : given;
  }

  private String topicIfForbidden() {
    @Nullable String given = plan.topic();
    if (given == null) {
      throw new SubscriptionProblem.Forbidden(
          ("subscription %s may not be looked at; grant roles/pubsub.viewer on it,"
                  + " or say by topic(…) which topic it is of")
              .formatted(plan.subscription()));
    }
    if (!warned) {
      warned = true;
      log.warn(
          "subscription {} may not be looked at, so whether it keeps the order of keys is unknown;"
              + " make sure that it does, or grant roles/pubsub.viewer on it",
          plan.subscription());
    }
    return given;
  }

  private String create() {
    @Nullable String given = plan.topic();
    return "gcloud pubsub subscriptions create %s --topic %s%s"
        .formatted(
            plan.subscription(),
            given == null ? "TOPIC" : given,
            plan.ordered() ? " --enable-message-ordering" : "");
  }
}
