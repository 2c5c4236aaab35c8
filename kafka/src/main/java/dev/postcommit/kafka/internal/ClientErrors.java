package dev.postcommit.kafka.internal;

import dev.postcommit.support.ErrorText;
import dev.postcommit.support.TlsFailure;
import dev.postcommit.support.Wrappers;
import java.util.Arrays;
import java.util.Optional;
import javax.security.auth.login.LoginException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;

/** Errors of Kafka's clients, with the property to change if TLS or a login is the cause. */
public final class ClientErrors {
  private static final String JAAS = "org.apache.kafka.common.security.Jaas";

  private ClientErrors() {}

  /** The error, and what to do about it if that is known, in one line. */
  public static String text(Throwable error) {
    return ErrorText.of(error) + advice(error).map(advice -> "; " + advice).orElse("");
  }

  /** What to do, if TLS, a login or a file is the cause of {@code error}. */
  public static Optional<String> advice(Throwable error) {
    Optional<TlsFailure> tls = TlsFailure.of(error);
    if (tls.isPresent()) {
      return Optional.of(advice(tls.get().kind()));
    }
    if (error instanceof UnsupportedSaslMechanismException) {
      return Optional.of("set sasl.mechanism to one of them");
    }
    if (error instanceof IllegalSaslStateException) {
      return Optional.of(
          "this listener does not take logins: set security.protocol=SSL, or PLAINTEXT without TLS,"
              + " or use the port of one that does");
    }
    if (error instanceof SaslAuthenticationException) {
      return Optional.of("check username and password in sasl.jaas.config");
    }
    return error instanceof KafkaException ? ofSettings(error) : Optional.empty();
  }

  private static String advice(TlsFailure.Kind kind) {
    return switch (kind) {
      case UNKNOWN_AUTHORITY ->
          "let ssl.truststore.location name a file with the certificate of the brokers' authority,"
              + " with ssl.truststore.type=PEM if it is one of text";
      case WRONG_HOST ->
          "write bootstrap.servers and the brokers' advertised.listeners as the certificate has it,"
              + " or give the brokers one for this host";
      case EXPIRED -> "give the broker a new one";
      case NOT_YET_VALID -> "check the clocks of both machines";
      case CLIENT_CERTIFICATE ->
          "let ssl.keystore.location name a file with key and certificate, signed by an authority"
              + " that the brokers trust and not expired";
      case NO_COMMON_PROTOCOL -> "check ssl.enabled.protocols and ssl.cipher.suites of both sides";
      case OTHER -> "check security.protocol, and that the port is a broker's";
    };
  }

  /**
   * What is wrong with the settings of a client that could not be created. Of the causes, only an
   * error about a file is shown: others may quote a password.
   */
  private static Optional<String> ofSettings(Throwable error) {
    for (Throwable cause : Wrappers.chain(error)) {
      if (cause instanceof InvalidConfigurationException) {
        return Optional.of(
            cause.getMessage() + "; check ssl.truststore.location and ssl.keystore.location");
      }
      if (cause instanceof LoginException || isOfJaas(cause)) {
        return Optional.of(
            "sasl.jaas.config is missing or cannot be read; write"
                + " org.apache.kafka.common.security.plain.PlainLoginModule, or"
                + " scram.ScramLoginModule, and then required username=\"...\" password=\"...\";");
      }
    }
    return Optional.empty();
  }

  /** Whether the parser of sasl.jaas.config threw it, which has no exception of its own. */
  private static boolean isOfJaas(Throwable cause) {
    return cause instanceof IllegalArgumentException
        && Arrays.stream(cause.getStackTrace())
            .anyMatch(frame -> frame.getClassName().startsWith(JAAS));
  }
}
