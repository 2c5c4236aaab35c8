package dev.postcommit.testkit.pubsub.engine;

import com.google.protobuf.Empty;
import com.google.pubsub.v1.DeleteTopicRequest;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsResponse;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.ListTopicsResponse;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublishResponse;
import com.google.pubsub.v1.PublisherGrpc;
import com.google.pubsub.v1.Topic;
import com.google.pubsub.v1.UpdateTopicRequest;
import io.grpc.stub.StreamObserver;

/** Topics, and what is published to them. */
final class PublisherService extends PublisherGrpc.PublisherImplBase {

  private final Resources resources;

  PublisherService(Resources resources) {
    this.resources = resources;
  }

  @Override
  public void createTopic(Topic request, StreamObserver<Topic> caller) {
    Answer.with(caller, () -> resources.createTopic(request));
  }

  @Override
  public void getTopic(GetTopicRequest request, StreamObserver<Topic> caller) {
    Answer.with(caller, () -> resources.topic(request.getTopic()).settings());
  }

  @Override
  public void updateTopic(UpdateTopicRequest request, StreamObserver<Topic> caller) {
    Answer.with(caller, () -> update(request));
  }

  private Topic update(UpdateTopicRequest request) {
    TopicState topic = resources.topic(request.getTopic().getName());
    if (request.getUpdateMask().getPathsCount() == 0) {
      throw Refusals.invalid("The update_mask must be specified and non-empty.");
    }
    synchronized (topic) {
      return update(topic, request);
    }
  }

  private static Topic update(TopicState topic, UpdateTopicRequest request) {
    Topic.Builder changed = topic.settings().toBuilder();
    for (String path : request.getUpdateMask().getPathsList()) {
      switch (path) {
        case "labels" -> changed.clearLabels().putAllLabels(request.getTopic().getLabelsMap());
        case "message_retention_duration" ->
            changed.setMessageRetentionDuration(request.getTopic().getMessageRetentionDuration());
        default -> throw Refusals.unsupported("Updating Topic." + path);
      }
    }
    topic.settings(changed.build());
    return topic.settings();
  }

  @Override
  public void listTopics(ListTopicsRequest request, StreamObserver<ListTopicsResponse> caller) {
    Answer.with(
        caller,
        () -> {
          String prefix = Names.project(request.getProject()) + "/topics/";
          Page<Topic> page =
              Page.of(
                  resources.topics().stream()
                      .map(TopicState::settings)
                      .filter(topic -> topic.getName().startsWith(prefix)),
                  Topic::getName,
                  request.getPageSize(),
                  request.getPageToken());
          return ListTopicsResponse.newBuilder()
              .addAllTopics(page.content())
              .setNextPageToken(page.next())
              .build();
        });
  }

  @Override
  public void listTopicSubscriptions(
      ListTopicSubscriptionsRequest request,
      StreamObserver<ListTopicSubscriptionsResponse> caller) {
    Answer.with(
        caller,
        () -> {
          Page<String> page =
              Page.of(
                  resources.topic(request.getTopic()).subscriptions().stream()
                      .map(subscription -> subscription.settings().getName())
                      .sorted(),
                  name -> name,
                  request.getPageSize(),
                  request.getPageToken());
          return ListTopicSubscriptionsResponse.newBuilder()
              .addAllSubscriptions(page.content())
              .setNextPageToken(page.next())
              .build();
        });
  }

  @Override
  public void deleteTopic(DeleteTopicRequest request, StreamObserver<Empty> caller) {
    Answer.with(
        caller,
        () -> {
          resources.deleteTopic(request.getTopic());
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void publish(PublishRequest request, StreamObserver<PublishResponse> caller) {
    Answer.with(
        caller,
        () -> PublishResponse.newBuilder().addAllMessageIds(resources.publish(request)).build());
  }
}
