package dev.postcommit.kafka.internal;

import dev.postcommit.support.TlsProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why brokers do not answer.
 *
 * <p>A client that speaks another protocol than the listener, or does not log in where it must, is
 * cut off without an error, and retries until it times out. The protocol of the listener shows what
 * is wrong.
 */
public final class ListenerProbe {
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  /** A probe takes time in which a broker may come back, so not every failure causes one. */
  private static final Duration KEPT = Duration.ofSeconds(10);

  /** The form that Kafka's clients accept. */
  private static final Pattern ADDRESS =
      Pattern.compile("(?:[^/]*://)?\\[?([^\\]/]*)\\]?:(\\d{1,5})");

  private static final String ADVERTISED = "are its advertised.listeners reachable from here?";

  /** Enough to find one that answers. */
  private static final int MOST_BROKERS = 3;

  private final List<String> brokers;
  private final SecurityProtocol protocol;
  private Optional<String> last = Optional.empty();
  private @Nullable Long askedAt;

  /** Knows the properties of a client. */
  public ListenerProbe(Map<String, ?> properties) {
    this.brokers =
        List.of(text(properties, CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "").split(","));
    this.protocol =
        SecurityProtocol.forName(
            text(properties, CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "PLAINTEXT"));
  }

  private static String text(Map<String, ?> properties, String name, String otherwise) {
    @Nullable Object value = properties.get(name);
    if (value == null) {
      return otherwise;
    }
    return value instanceof List<?> list
        ? String.join(",", list.stream().map(String::valueOf).toList())
        : value.toString();
  }

  /** Why there is no answer, as far as the first broker that can be reached shows. */
  public Optional<String> reason() {
    return reason(false);
  }

  /**
   * Why there is no answer, as far as the first broker that can be reached shows.
   *
   * @param any whether this client has had any, which shows that it speaks the right protocol
   */
  public synchronized Optional<String> reason(boolean any) {
    if (askedAt == null || System.nanoTime() - askedAt > KEPT.toNanos()) {
      last = ask(any);
      askedAt = System.nanoTime();
    }
    return last;
  }

  /** There was an answer, so the next failure may have another reason. */
  public synchronized void answered() {
    askedAt = null;
  }

  private Optional<String> ask(boolean any) {
    Optional<String> reason = Optional.empty();
    for (String broker : brokers.stream().map(String::strip).limit(MOST_BROKERS).toList()) {
      Matcher address = ADDRESS.matcher(broker);
      if (!address.matches()) {
        continue;
      }
      int port = Integer.parseInt(address.group(2));
      TlsProbe.Answer answer = TlsProbe.ask(address.group(1), port, TIMEOUT);
      reason = reason(broker, answer, any);
      if (answer == TlsProbe.Answer.TLS || answer == TlsProbe.Answer.NO_TLS) {
        return reason;
      }
    }
    return reason;
  }

  private Optional<String> reason(String broker, TlsProbe.Answer answer, boolean any) {
    boolean reached = answer == TlsProbe.Answer.TLS || answer == TlsProbe.Answer.NO_TLS;
    if (reached && any) {
      return Optional.of(broker + " can be reached and does not answer; " + ADVERTISED);
    }
    return switch (answer) {
      case CLOSED -> Optional.of("nothing listens at " + broker);
      case UNKNOWN_HOST -> Optional.of("the host of " + broker + " is not known");
      case UNREACHABLE -> Optional.of("no connection to " + broker + " can be made");
      case SILENT -> Optional.empty();
      case TLS -> Optional.of(isTls() ? unasked(broker, " speaks TLS") : unlike(broker));
      case NO_TLS -> Optional.of(isTls() ? unlike(broker) : unasked(broker, " can be reached"));
    };
  }

  private boolean isTls() {
    return protocol == SecurityProtocol.SSL || protocol == SecurityProtocol.SASL_SSL;
  }

  private boolean isLogin() {
    return protocol == SecurityProtocol.SASL_PLAINTEXT || protocol == SecurityProtocol.SASL_SSL;
  }

  private String unlike(String broker) {
    SecurityProtocol other =
        isTls()
            ? isLogin() ? SecurityProtocol.SASL_PLAINTEXT : SecurityProtocol.PLAINTEXT
            : isLogin() ? SecurityProtocol.SASL_SSL : SecurityProtocol.SSL;
    return "%s %s, and security.protocol is %s; set security.protocol=%s, or use another port"
        .formatted(broker, isTls() ? "does not speak TLS" : "speaks TLS", protocol, other);
  }

  /** The listener speaks the client's protocol, so it may require a login. */
  private String unasked(String broker, String found) {
    return broker
        + found
        + (isLogin()
            ? " and does not answer; " + ADVERTISED
            : " and does not answer; if it asks for a login, set security.protocol="
                + (isTls() ? SecurityProtocol.SASL_SSL : SecurityProtocol.SASL_PLAINTEXT)
                + ", sasl.mechanism and sasl.jaas.config; if not, "
                + ADVERTISED);
  }
}
