package dev.postcommit.kafka.consumer;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** What Kafka knows of consumer groups. */
final class ConsumerGroups {
  private ConsumerGroups() {}

  /** How many messages of a topic a group has not acknowledged. */
  static long lag(Admin admin, String group, String topic)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> latest =
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().stream()
            .collect(
                Collectors.toMap(
                    info -> new TopicPartition(topic, info.partition()),
                    info -> OffsetSpec.latest()));
    Map<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> ends =
        admin.listOffsets(latest).all().get();
    Map<TopicPartition, OffsetAndMetadata> committed =
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    return ends.entrySet().stream()
        .mapToLong(
            end -> {
              OffsetAndMetadata done = committed.get(end.getKey());
              return end.getValue().offset() - (done == null ? 0 : done.offset());
            })
        .sum();
  }

  /**
   * The ids of a group's members, none of a group that Kafka does not know; one that leaves and
   * comes again has another.
   */
  static Set<String> members(Admin admin, String group)
      throws ExecutionException, InterruptedException {
    try {
      return admin
          .describeConsumerGroups(List.of(group))
          .describedGroups()
          .get(group)
          .get()
          .members()
          .stream()
          .map(MemberDescription::consumerId)
          .collect(Collectors.toSet());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return Set.of();
      }
      throw e;
    }
  }
}
