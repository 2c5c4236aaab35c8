package dev.postcommit.settings;

import dev.postcommit.cloudevents.CloudEventsEnvelope;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.Router;
import dev.postcommit.settings.MessageSettings.EnvelopeName;
import dev.postcommit.support.Route;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * How events become messages, as the settings say or else as the layout implies.
 *
 * @param envelope how an event is encoded
 * @param route the topic of an event, as a setting says it
 * @param router what the route stands for
 * @param check what every event is checked against; null for nothing
 */
public record ConfiguredMessages(
    Envelope envelope, Route route, Router router, @Nullable EventCheck check) {

  /**
   * Reads the settings.
   *
   * @throws SettingException if one is missing, invalid or without effect
   */
  public static ConfiguredMessages of(SettingValues values, Layout layout) {
    return of(values, layout, null, null, null);
  }

  /**
   * Reads the settings, except those that beans of the application replace.
   *
   * @param ownEnvelope the application's envelope, if it has one
   * @param ownRouter its router, if it has one that is not also a check
   * @param ownCheck its check, if it has one; as a router, it counts only if the route asks for it
   * @throws SettingException if a setting is missing, invalid or without effect
   */
  public static ConfiguredMessages of(
      SettingValues values,
      Layout layout,
      @Nullable Envelope ownEnvelope,
      @Nullable Router ownRouter,
      @Nullable EventCheck ownCheck) {
    refuse(values, ownCheck, "EventCheck", MessageSettings.REGISTRY_FILE);
    refuse(values, ownEnvelope, "Envelope", MessageSettings.ENVELOPE, MessageSettings.SOURCE);
    refuse(values, ownRouter, "Router", MessageSettings.ROUTE);
    @Nullable EventCheck check = ownCheck == null ? registry(values, layout) : ownCheck;
    Envelope envelope = ownEnvelope == null ? envelope(values, layout) : ownEnvelope;
    Route route = route(values, layout);
    Router router = ownRouter == null ? router(values, route, check) : ownRouter;
    return new ConfiguredMessages(envelope, route, router, check);
  }

  private static void refuse(
      SettingValues values, @Nullable Object bean, String type, Setting<?>... settings) {
    if (bean != null) {
      for (Setting<?> setting : settings) {
        values.refuse(setting, "there is a bean of type " + type);
      }
    }
  }

  /** Configures a relay: also with the retry policies by event type if its check is a registry. */
  public Relay.Builder apply(Relay.Builder relay) {
    if (check != null) {
      relay.check(check);
      if (Modules.has("postcommit-registry")) {
        ConfiguredRegistry.retryPolicies(check).forEach(relay::retryPolicy);
      }
    }
    return relay.envelope(envelope).router(router);
  }

  /** The name of the envelope. */
  public static EnvelopeName envelopeName(SettingValues values, Layout layout) {
    return values.find(MessageSettings.ENVELOPE, layout).orElse(EnvelopeName.RAW);
  }

  private static Envelope envelope(SettingValues values, Layout layout) {
    EnvelopeName name = envelopeName(values, layout);
    return switch (name) {
      case RAW -> withoutSource(Envelope.raw(), name, values);
      case MESSAGE_ID -> withoutSource(Envelope.messageId(), name, values);
      case STORED -> withoutSource(Envelope.stored(), name, values);
      case BUILT -> Envelope.built(source(name, values));
      case CLOUDEVENTS_BINARY, CLOUDEVENTS_STRUCTURED -> {
        Modules.require("postcommit-cloudevents", "the envelope is " + Setting.word(name));
        yield CloudEvents.envelope(name, uri(source(name, values), values));
      }
    };
  }

  private static Envelope withoutSource(
      Envelope envelope, EnvelopeName name, SettingValues values) {
    values.refuse(
        MessageSettings.SOURCE,
        "the envelope is %s, which has none".formatted(Setting.word(name)),
        MessageSettings.ENVELOPE,
        "built");
    return envelope;
  }

  private static String source(EnvelopeName name, SettingValues values) {
    return values
        .find(MessageSettings.SOURCE)
        .filter(source -> !source.isBlank())
        .orElseThrow(
            () ->
                new SettingException(
                    "%s is not set, and the envelope %s says where events come from; %s"
                        .formatted(
                            values.name(MessageSettings.SOURCE),
                            Setting.word(name),
                            values.howToSet(MessageSettings.SOURCE))));
  }

  private static URI uri(String source, SettingValues values) {
    try {
      return new URI(source);
    } catch (URISyntaxException e) {
      throw new SettingException(
          "%s: '%s' is not a URI; write for example /orders or https://example.com/orders"
              .formatted(values.name(MessageSettings.SOURCE), source));
    }
  }

  /** Uses an optional module, and so is only loaded if that is there. */
  private static final class CloudEvents {
    static Envelope envelope(EnvelopeName name, URI source) {
      return name == EnvelopeName.CLOUDEVENTS_BINARY
          ? CloudEventsEnvelope.binary(source)
          : CloudEventsEnvelope.structured(source);
    }
  }

  /** The route. */
  public static Route route(SettingValues values, Layout layout) {
    return values.find(MessageSettings.ROUTE, layout).orElseGet(() -> Route.usual(layout));
  }

  private static Router router(SettingValues values, Route route, @Nullable EventCheck check) {
    if (route.router() != null) {
      return route.router();
    }
    if (check instanceof Router registry) {
      return registry;
    }
    throw new SettingException(
        "%s is registry, and there is none; %s"
            .formatted(
                values.name(MessageSettings.ROUTE),
                values.howToSet(MessageSettings.REGISTRY_FILE)));
  }

  private static @Nullable EventCheck registry(SettingValues values, Layout layout) {
    if (values.find(MessageSettings.REGISTRY_FILE).isEmpty()) {
      return null;
    }
    Modules.require(
        "postcommit-registry", values.name(MessageSettings.REGISTRY_FILE) + " is given");
    return ConfiguredRegistry.load(values, layout);
  }
}
