package dev.postcommit.server.settings;

import dev.postcommit.server.settings.Setting.Group;
import dev.postcommit.support.Route;
import java.nio.file.Path;

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

  /** How an event becomes a message. */
  public static final Setting<EnvelopeName> ENVELOPE =
      Setting.of(
          Group.MESSAGES,
          "envelope",
          "name",
          null,
          Readers.choice(EnvelopeName.class),
          "How an event becomes a message: raw, message-id, built, stored, cloudevents-binary or"
              + " cloudevents-structured; see docs/messages.md. Unless given, as the layout has it:"
              + " logistik message-id, packfinderz stored, polyshop built, the others raw.");

  /** Where the events come from. */
  public static final Setting<String> SOURCE =
      Setting.of(
          Group.MESSAGES,
          "source",
          "name|uri",
          null,
          Readers.text(),
          "Where the events come from: the service's name for the built envelope, a URI such as"
              + " /orders for CloudEvents. Required by these envelopes.");

  /** Where events go. */
  public static final Setting<Route> ROUTE =
      Setting.of(
          Group.MESSAGES,
          "route",
          "route",
          null,
          Route::read,
          "The topic of an event: recorded, type, namespaced, fixed:<topic>, template:<text> or"
              + " registry; see docs/messages.md. Unless given, as the layout has it: packfinderz"
              + " fixed:pf-domain-events, polyshop type, the others recorded.");

  /** What events must be like. */
  public static final Setting<Path> REGISTRY_FILE =
      Setting.of(
          Group.MESSAGES,
          "registry-file",
          "file",
          null,
          Readers.path(),
          "A file that declares the event types; events that break its contracts are dead at once."
              + " It can also say their topics (route registry) and their retries.");

  private MessageSettings() {}
}
