package dev.postcommit.consumer.inbox;

import dev.postcommit.support.TlsFailure;
import dev.postcommit.support.Wrappers;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.io.IOException;
import java.util.Optional;

/** Errors of Redis and its client in one line, with advice if TLS or a login is the cause. */
final class RedisErrors {
  private static final String TLS_PORT =
      "a port that expects TLS is for RedisURI.withSsl(true), or rediss:, and no other is";

  private RedisErrors() {}

  /** Redis did not answer in time. */
  static String late(long millis, boolean connecting) {
    return connecting
        ? "no connection to Redis within %d ms; check host and port, and that %s"
            .formatted(millis, TLS_PORT)
        : "Redis did not answer within " + millis + " ms";
  }

  /** What went wrong, and what to do if that is known. */
  static String text(Throwable error) {
    Optional<TlsFailure> tls = TlsFailure.of(error);
    if (tls.isPresent()) {
      return "%s: %s; %s".formatted(error.getMessage(), tls.get(), advice(tls.get().kind()));
    }
    for (Throwable cause : Wrappers.chain(error)) {
      if (cause instanceof RedisCommandExecutionException) {
        return answer(String.valueOf(cause.getMessage()));
      }
    }
    return error instanceof RedisConnectionException
            && error.getCause() instanceof IOException hungUp
        ? "%s: %s; check host and port, and that %s"
            .formatted(error.getMessage(), hungUp.getMessage(), TLS_PORT)
        : String.valueOf(error.getMessage());
  }

  /** An answer of Redis, whose first word is a code. */
  private static String answer(String message) {
    String code = message.split(" ", 2)[0];
    return switch (code) {
      case "WRONGPASS" -> message + "; check the RedisURI's user and password";
      case "NOAUTH" -> message + "; give the RedisURI a user and a password";
      case "NOPERM" -> message + "; allow it in the ACL of the RedisURI's user";
      default -> message;
    };
  }

  private static String advice(TlsFailure.Kind kind) {
    return switch (kind) {
      case UNKNOWN_AUTHORITY ->
          "give the client's SslOptions the certificate of the server's authority by trustManager";
      case WRONG_HOST ->
          "write the host in the RedisURI as the certificate has it, or give the server one for"
              + " this host";
      case EXPIRED -> "give the server a new one";
      case NOT_YET_VALID -> "check the clocks of both machines";
      case CLIENT_CERTIFICATE ->
          "give the client's SslOptions a certificate and its key by keyManager, signed by an"
              + " authority of the server's tls-ca-cert-file";
      case NO_COMMON_PROTOCOL -> "check tls-protocols and tls-ciphers of the server";
      case OTHER -> TLS_PORT;
    };
  }
}
