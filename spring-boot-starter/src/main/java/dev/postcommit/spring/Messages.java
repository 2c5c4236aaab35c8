package dev.postcommit.spring;

import dev.postcommit.envelope.Envelope;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.Router;
import dev.postcommit.spring.PostcommitSettings.EnvelopeName;
import dev.postcommit.support.Route;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** How events become messages: as beans of the application say, or else as the settings do. */
final class Messages {
  private final PostcommitSettings settings;
  private final Layout layout;
  private final Given given;

  Messages(PostcommitSettings settings, Layout layout, Given given) {
    this.settings = settings;
    this.layout = layout;
    this.given = given;
  }

  /** Gives a relay all of it. */
  void apply(
      Relay.Builder relay,
      ObjectProvider<Envelope> envelopes,
      ObjectProvider<Router> routers,
      ObjectProvider<EventCheck> checks) {
    relay.envelope(envelope(envelopes));
    @Nullable EventCheck check = check(checks);
    if (check != null) {
      relay.check(check);
      Registries.retryPolicies(check).forEach(relay::retryPolicy);
    }
    relay.router(router(routers, check));
  }

  /** The route of the settings, or else the layout's own. */
  static Route route(PostcommitSettings settings, Layout layout) {
    if (settings.route() == null) {
      return Route.usual(layout);
    }
    try {
      return Route.read(settings.route());
    } catch (IllegalArgumentException e) {
      throw Given.invalid("route", settings.route(), "it " + e.getMessage());
    }
  }

  private Envelope envelope(ObjectProvider<Envelope> envelopes) {
    @Nullable Envelope bean = envelopes.getIfAvailable();
    if (bean != null) {
      String why = "there is a bean that is an Envelope";
      given.refuse("envelope", why, "leave one of them out");
      given.refuse("source", why, "leave one of them out");
      return bean;
    }
    EnvelopeName name = settings.envelope() == null ? usual() : settings.envelope();
    return switch (name) {
      case RAW -> withoutSource(Envelope.raw(), name);
      case MESSAGE_ID -> withoutSource(Envelope.messageId(), name);
      case STORED -> withoutSource(Envelope.stored(), name);
      case BUILT -> Envelope.built(source(name));
      case CLOUDEVENTS_BINARY, CLOUDEVENTS_STRUCTURED ->
          CloudEvents.envelope(name, word(name), source(name));
    };
  }

  private EnvelopeName usual() {
    String text = layout.settings().value("envelope", word(EnvelopeName.RAW));
    return Arrays.stream(EnvelopeName.values())
        .filter(name -> word(name).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new SetupException(
                    "setting.envelope of the %s layout is '%s', which is no envelope"
                        .formatted(layout.name(), text),
                    "correct the layout"));
  }

  private Envelope withoutSource(Envelope envelope, EnvelopeName name) {
    given.refuse("source", "the envelope is " + word(name) + ", which names none", "leave it out");
    return envelope;
  }

  private String source(EnvelopeName name) {
    if (settings.source() == null || settings.source().isBlank()) {
      throw new SetupException(
          "postcommit.source is not set, and the envelope %s of the %s layout names where events come from"
              .formatted(word(name), layout.name()),
          "set it to the name of this service, or for CloudEvents to a URI such as /orders");
    }
    return settings.source();
  }

  private @Nullable EventCheck check(ObjectProvider<EventCheck> checks) {
    @Nullable EventCheck bean = checks.getIfAvailable();
    if (bean != null) {
      given.refuse("registry-file", "there is a bean that is an EventCheck", "leave one out");
      return bean;
    }
    return settings.registryFile() == null ? null : Registries.load(settings.registryFile());
  }

  /** What is a check as well, as a registry is, is a router only if it is asked for. */
  private Router router(ObjectProvider<Router> routers, @Nullable EventCheck check) {
    @Nullable Router bean =
        routers.orderedStream().filter(r -> !(r instanceof EventCheck)).findFirst().orElse(null);
    if (bean != null) {
      given.refuse("route", "there is a bean that is a Router", "leave one of them out");
      return bean;
    }
    Route route = route(settings, layout);
    if (route.router() != null) {
      return route.router();
    }
    if (check instanceof Router registry) {
      return registry;
    }
    throw new SetupException(
        "postcommit.route is registry, and there is none",
        "set postcommit.registry-file, or declare a bean that is an EventRegistry");
  }

  private static String word(EnvelopeName name) {
    return name.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
