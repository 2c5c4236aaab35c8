package dev.postcommit.spring;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Router;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.spring.settings.SpringSettings;
import dev.postcommit.spring.settings.StarterSettings;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ListableBeanFactory;

/** Whether events go to the Kafka topics recorded with them, as far as is configured. */
public final class RecordedTopics {
  private static final Set<String> RECORDED = Set.of("recorded", "type");

  private RecordedTopics() {}

  /** Whether an event's topic or type must be a valid name of a topic in Kafka. */
  public static boolean areKafkas(
      SpringSettings settings, Layout layout, ListableBeanFactory beans) {
    return !isForPubSub(settings)
        && !hasRouter(beans)
        && RECORDED.contains(ConfiguredMessages.route(settings, layout).text());
  }

  private static boolean isForPubSub(SpringSettings settings) {
    return settings
        .find(StarterSettings.BROKER)
        .map(BrokerName.PUBSUB::equals)
        .orElseGet(() -> settings.isGiven(BrokerSettings.PUBSUB_PROJECT));
  }

  /** A registry counts only if the settings ask for it. No bean is created to find out. */
  private static boolean hasRouter(ListableBeanFactory beans) {
    Set<String> checks = Set.of(beans.getBeanNamesForType(EventCheck.class, true, false));
    List<String> routers = List.of(beans.getBeanNamesForType(Router.class, true, false));
    return !checks.containsAll(routers);
  }
}
