package dev.postcommit.settings;

import static dev.postcommit.settings.Setting.Group.MESSAGES;

import dev.postcommit.support.Route;
import java.nio.file.Path;
import java.util.List;

/** The settings of how events become messages. */
public final class MessageSettings {

  /** The envelopes that can be chosen by name. */
  public enum EnvelopeName {
    /** The payload as it was written. */
    RAW,
    /** The payload with the event's id in it. */
    MESSAGE_ID,
    /** An envelope built around the payload. */
    BUILT,
    /** The envelope that was written as the payload. */
    STORED,
    /** A CloudEvent whose attributes are headers. */
    CLOUDEVENTS_BINARY,
    /** A CloudEvent in one JSON object. */
    CLOUDEVENTS_STRUCTURED
  }

  public static final Setting<EnvelopeName> ENVELOPE =
      MESSAGES.setting(
          "envelope",
          "name",
          Readers.choice(EnvelopeName.class),
          "How an event becomes a message: raw, message-id, built, stored, cloudevents-binary or"
              + " cloudevents-structured; see docs/messages.md. Default: logistik message-id,"
              + " packfinderz stored, polyshop built, the other layouts raw.");

  public static final Setting<String> SOURCE =
      MESSAGES.setting(
          "source",
          "name|uri",
          Readers.text(),
          "Where the events come from: the service's name for the built envelope, a URI such as"
              + " /orders for CloudEvents. Required by these envelopes.");

  public static final Setting<Route> ROUTE =
      MESSAGES.setting(
          "route",
          "route",
          Route::read,
          "The topic of an event: recorded, type, namespaced, fixed:<topic>, template:<text> or"
              + " registry; see docs/messages.md. Default: packfinderz fixed:pf-domain-events,"
              + " polyshop type, the other layouts recorded.");

  public static final Setting<Path> REGISTRY_FILE =
      MESSAGES.setting(
          "registry-file",
          "file",
          Readers.path(),
          "A file that declares the event types; events that break its contracts are dead at once."
              + " It can also define their topics (route registry) and retry policies.");

  static final List<Setting<?>> ALL = List.of(ENVELOPE, SOURCE, ROUTE, REGISTRY_FILE);

  private MessageSettings() {}
}
