package dev.postcommit.spring.relay;

import dev.postcommit.envelope.Envelope;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.EventCheck;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.Router;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.settings.MessageSettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.spring.settings.SpringSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** How events become messages: as beans of the application say, or else as the settings do. */
final class RelayMessages {
  private final SpringSettings settings;
  private final Layout layout;

  RelayMessages(SpringSettings settings, Layout layout) {
    this.settings = settings;
    this.layout = layout;
  }

  /** Configures a relay. */
  void apply(
      Relay.Builder relay,
      ObjectProvider<Envelope> envelopes,
      ObjectProvider<Router> routers,
      ObjectProvider<EventCheck> checks) {
    @Nullable EventCheck check = check(checks);
    ConfiguredMessages.apply(check, relay);
    relay.envelope(envelope(envelopes)).router(router(routers, check));
  }

  private Envelope envelope(ObjectProvider<Envelope> envelopes) {
    @Nullable Envelope bean = envelopes.getIfAvailable();
    if (bean == null) {
      return ConfiguredMessages.envelope(settings, layout);
    }
    refuse(MessageSettings.ENVELOPE, "Envelope");
    refuse(MessageSettings.SOURCE, "Envelope");
    return bean;
  }

  private @Nullable EventCheck check(ObjectProvider<EventCheck> checks) {
    @Nullable EventCheck bean = checks.getIfAvailable();
    if (bean == null) {
      return ConfiguredMessages.registry(settings, layout);
    }
    refuse(MessageSettings.REGISTRY_FILE, "EventCheck");
    return bean;
  }

  /** A router that is also a check, such as a registry, counts only if the route asks for it. */
  private Router router(ObjectProvider<Router> routers, @Nullable EventCheck check) {
    @Nullable Router bean =
        routers.orderedStream().filter(r -> !(r instanceof EventCheck)).findFirst().orElse(null);
    if (bean == null) {
      return ConfiguredMessages.router(settings, ConfiguredMessages.route(settings, layout), check);
    }
    refuse(MessageSettings.ROUTE, "Router");
    return bean;
  }

  private void refuse(Setting<?> setting, String bean) {
    settings.refuse(setting, "there is a bean of type " + bean);
  }
}
