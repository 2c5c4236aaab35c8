package dev.postcommit.server.relay;

import dev.postcommit.RetryPolicy;
import dev.postcommit.cloudevents.CloudEventsEnvelope;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.layout.Layout;
import dev.postcommit.registry.EventRegistry;
import dev.postcommit.registry.InvalidRegistryException;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.Router;
import dev.postcommit.server.settings.MessageSettings;
import dev.postcommit.server.settings.MessageSettings.EnvelopeName;
import dev.postcommit.server.settings.Setting;
import dev.postcommit.server.settings.SettingException;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.support.Route;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the settings say about how events become messages.
 *
 * @param envelopeName the envelope's name
 * @param envelope the envelope
 * @param route the route as it was given, or the layout's own
 * @param router what it stands for
 * @param registry what every event is checked against, or null for nothing
 */
public record Messages(
    EnvelopeName envelopeName,
    Envelope envelope,
    Route route,
    Router router,
    @Nullable EventRegistry registry) {

  static Messages of(Layout layout, Settings settings) {
    EnvelopeName name = settings.find(MessageSettings.ENVELOPE).orElse(EnvelopeName.RAW);
    Route route = route(layout, settings);
    @Nullable EventRegistry registry =
        settings
            .find(MessageSettings.REGISTRY_FILE)
            .map(file -> registry(file, layout))
            .orElse(null);
    return new Messages(
        name, envelope(name, layout, settings), route, router(route, registry), registry);
  }

  /** The route as it was given, or the layout's own. */
  public static Route route(Layout layout, Settings settings) {
    return settings.find(MessageSettings.ROUTE).orElseGet(() -> Route.usual(layout));
  }

  /** Gives a relay all of it. */
  Relay.Builder apply(Relay.Builder relay) {
    relay.envelope(envelope).router(router);
    if (registry != null) {
      relay.check(registry);
      registry.retryPolicies().forEach(relay::retryPolicy);
    }
    return relay;
  }

  private static Envelope envelope(EnvelopeName name, Layout layout, Settings settings) {
    return switch (name) {
      case RAW -> withoutSource(Envelope.raw(), name, settings);
      case MESSAGE_ID -> withoutSource(Envelope.messageId(), name, settings);
      case STORED -> withoutSource(Envelope.stored(), name, settings);
      case BUILT -> Envelope.built(source(name, layout, settings));
      case CLOUDEVENTS_BINARY -> CloudEventsEnvelope.binary(uri(source(name, layout, settings)));
      case CLOUDEVENTS_STRUCTURED ->
          CloudEventsEnvelope.structured(uri(source(name, layout, settings)));
    };
  }

  private static Envelope withoutSource(Envelope envelope, EnvelopeName name, Settings settings) {
    if (settings.isGiven(MessageSettings.SOURCE)) {
      throw new SettingException(
          "source is for the envelopes built, cloudevents-binary and cloudevents-structured;"
              + " the envelope is %s, leave it out".formatted(Setting.word(name)));
    }
    return envelope;
  }

  private static String source(EnvelopeName name, Layout layout, Settings settings) {
    return settings
        .find(MessageSettings.SOURCE)
        .filter(source -> !source.isBlank())
        .orElseThrow(
            () ->
                new SettingException(
                    "source is not set, and the envelope %s%s names where events come from; %s"
                        .formatted(
                            Setting.word(name),
                            settings.isGiven(MessageSettings.ENVELOPE)
                                ? ""
                                : " of the " + layout.name() + " layout",
                            MessageSettings.SOURCE.howToSet())));
  }

  private static URI uri(String source) {
    try {
      return new URI(source);
    } catch (URISyntaxException e) {
      throw new SettingException(
          "source: '%s' is not a URI; write for example /orders or https://example.com/orders"
              .formatted(source));
    }
  }

  private static Router router(Route route, @Nullable EventRegistry registry) {
    @Nullable Router router = route.router() == null ? registry : route.router();
    if (router == null) {
      throw new SettingException(
          "route is registry, and registry-file is not set; "
              + MessageSettings.REGISTRY_FILE.howToSet());
    }
    return router;
  }

  private static EventRegistry registry(Path file, Layout layout) {
    try {
      EventRegistry registry = EventRegistry.load(file);
      checkAttempts(registry.retryPolicies(), layout.retryPolicy().maxAttempts(), file);
      return registry;
    } catch (InvalidRegistryException e) {
      throw new SettingException("registry-file: " + e.getMessage());
    }
  }

  private static void checkAttempts(Map<String, RetryPolicy> policies, int most, Path file) {
    policies.forEach(
        (type, policy) -> {
          if (policy.maxAttempts() > most) {
            throw new SettingException(
                "registry-file: %s: event type %s allows %s attempts, more than max-attempts (%d); lower its maxAttempts or raise max-attempts"
                    .formatted(file, type, RelayOptions.attempts(policy.maxAttempts()), most));
          }
        });
  }
}
