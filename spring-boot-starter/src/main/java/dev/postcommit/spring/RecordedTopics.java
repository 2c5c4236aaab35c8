package dev.postcommit.spring;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Router;
import dev.postcommit.spring.PostcommitSettings.BrokerName;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ListableBeanFactory;

/** Whether the topics recorded with events are those of a Kafka, as far as the application says. */
final class RecordedTopics {
  private static final Set<String> RECORDED = Set.of("recorded", "type");

  private RecordedTopics() {}

  static boolean areKafkas(PostcommitSettings settings, Layout layout, ListableBeanFactory beans) {
    return !isForPubSub(settings)
        && !hasRouter(beans)
        && RECORDED.contains(Messages.route(settings, layout).text());
  }

  private static boolean isForPubSub(PostcommitSettings settings) {
    return settings.broker() == null
        ? settings.pubsub().project() != null
        : settings.broker() == BrokerName.PUBSUB;
  }

  /** A registry routes only if the settings ask for it. Nothing is created to find out. */
  private static boolean hasRouter(ListableBeanFactory beans) {
    Set<String> checks = Set.of(beans.getBeanNamesForType(EventCheck.class, true, false));
    List<String> routers = List.of(beans.getBeanNamesForType(Router.class, true, false));
    return !checks.containsAll(routers);
  }
}
