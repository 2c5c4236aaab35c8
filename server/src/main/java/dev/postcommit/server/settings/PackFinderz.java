package dev.postcommit.server.settings;

import dev.postcommit.internal.Route;
import dev.postcommit.relay.Router;
import dev.postcommit.settings.MessageSettings;
import dev.postcommit.settings.Readers;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.Setting.Reader;
import dev.postcommit.settings.SettingException;
import dev.postcommit.settings.SettingValues.Given;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** PackFinderz' own names of settings, and its defaults; used with its layout only. */
final class PackFinderz {
  private static final int SHORTEST_POLL_MS = 250;
  private static final int LONGEST_POLL_MS = 1000;

  /**
   * A name of PackFinderz.
   *
   * @param variable the variable of the environment
   * @param setting the setting it stands for
   * @param usual what PackFinderz has if nothing is given
   * @param translate turns its value into that of the setting
   */
  record Name(String variable, Setting<?> setting, String usual, Reader<String> translate) {

    private Given given(String text, String source) {
      try {
        return new Given(translate.read(text), source, "");
      } catch (IllegalArgumentException e) {
        throw new SettingException("%s: '%s' %s".formatted(source, text, e.getMessage()));
      }
    }
  }

  /** The names that apply to a relay. */
  static final List<Name> NAMES =
      List.of(
          new Name(
              "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE",
              RelaySettings.BATCH_SIZE,
              "50",
              checked(RelaySettings.BATCH_SIZE)),
          new Name(
              "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS",
              RelaySettings.POLL_INTERVAL,
              "500",
              PackFinderz::poll),
          new Name(
              "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS",
              RelaySettings.MAX_ATTEMPTS,
              "25",
              checked(RelaySettings.MAX_ATTEMPTS)),
          new Name(
              "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC",
              MessageSettings.ROUTE,
              "pf-domain-events",
              PackFinderz::topic));

  private final Map<String, String> given = new HashMap<>();

  PackFinderz(Map<String, String> environment) {
    for (Name name : NAMES) {
      String text = environment.getOrDefault(name.variable(), "");
      if (!text.isEmpty()) {
        given.put(name.variable(), text);
      }
    }
  }

  /** PackFinderz' value of a setting: from its variable, or else its default. */
  Optional<Given> find(Setting<?> setting) {
    return NAMES.stream()
        .filter(name -> name.setting().equals(setting))
        .findFirst()
        .map(this::given);
  }

  private Given given(Name name) {
    @Nullable String text = given.get(name.variable());
    return name.given(text == null ? name.usual() : text, name.variable());
  }

  private static Reader<String> checked(Setting<?> setting) {
    return text -> {
      Object unused = setting.reader().read(text);
      return text;
    };
  }

  /** PackFinderz limits its idle poll interval; Postcommit's own setting does not. */
  private static String poll(String text) {
    try {
      return Readers.integer(SHORTEST_POLL_MS, LONGEST_POLL_MS).read(text) + "ms";
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s; for any other time set %s"
              .formatted(e.getMessage(), RelaySettings.POLL_INTERVAL.variable()),
          e);
    }
  }

  private static String topic(String text) {
    try {
      Router unused = Router.fixed(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("is not a topic: " + e.getMessage(), e);
    }
    return Route.fixed(text);
  }
}
