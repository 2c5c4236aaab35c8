package dev.postcommit.spring;

import dev.postcommit.cloudevents.CloudEventsEnvelope;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.spring.PostcommitSettings.EnvelopeName;
import java.net.URI;
import java.net.URISyntaxException;

/** The envelopes of postcommit-cloudevents, which may be missing. */
final class CloudEvents {
  private CloudEvents() {}

  static Envelope envelope(EnvelopeName name, String word, String source) {
    ClassPath.require(
        "dev.postcommit.cloudevents.CloudEventsEnvelope",
        "postcommit.envelope is " + word,
        "postcommit-cloudevents");
    URI uri = uri(source);
    return name == EnvelopeName.CLOUDEVENTS_BINARY
        ? CloudEventsEnvelope.binary(uri)
        : CloudEventsEnvelope.structured(uri);
  }

  private static URI uri(String source) {
    try {
      return new URI(source);
    } catch (URISyntaxException e) {
      throw Given.invalid(
          "source", source, "it is not a URI; write /orders or https://example.com/orders");
    }
  }
}
