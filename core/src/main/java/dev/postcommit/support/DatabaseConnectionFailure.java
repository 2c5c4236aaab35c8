package dev.postcommit.support;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Why Postgres could not be connected to because of TLS or a login, and what to set.
 *
 * <p>It may be hidden behind a pool that says only that it has no connection. Several causes share
 * one SQLSTATE; only the words of the message tell them apart. In another language than English the
 * advice names all that it may be.
 *
 * @param reason what is wrong
 * @param advice what to do
 * @param sqlState the SQLSTATE
 */
public record DatabaseConnectionFailure(String reason, String advice, String sqlState) {

  /** The advice for a login that is refused, for whoever can name the settings to replace. */
  public static final String CHECK_LOGIN = "check the user and its password";

  private static final String ACCEPTED_CERTIFICATE =
      "it must not be expired, and be of an authority that the server trusts";

  /** Where the driver begins TLS, and Java's TLS. */
  private static final String HANDSHAKE = "org.postgresql.ssl.";

  private static final String TLS = "sun.security.ssl.";

  private static final String NOT_MADE = "08001";
  private static final String REJECTED = "08004";
  private static final String FAILED = "08006";
  private static final String WRONG_PASSWORD = "28P01";
  private static final String NO_SUCH_LOGIN = "28000";

  /** What went wrong with TLS or a login, if that is behind {@code error}. */
  public static Optional<DatabaseConnectionFailure> of(Throwable error) {
    return Wrappers.chain(error).stream()
        .filter(SQLException.class::isInstance)
        .map(SQLException.class::cast)
        .flatMap(e -> ofOne(e).stream())
        .findFirst();
  }

  private static Optional<DatabaseConnectionFailure> ofOne(SQLException e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return switch (String.valueOf(e.getSQLState())) {
      case WRONG_PASSWORD -> failure(e, message, CHECK_LOGIN);
      case NO_SUCH_LOGIN -> failure(e, message, loginAdvice(message));
      case REJECTED -> failure(e, message, rejectionAdvice(message));
      case NOT_MADE, FAILED -> ofTls(e, message);
      default -> Optional.empty();
    };
  }

  private static String loginAdvice(String message) {
    if (message.contains("no encryption")) {
      return "the server may take this user with TLS only: set sslmode=verify-full in the url";
    }
    if (message.contains("certificate")) {
      return "name the client's certificate and key as sslcert and sslkey in the url; an authority"
          + " that the server trusts must have signed it, for this user";
    }
    return CHECK_LOGIN + ", and sslmode in the url, against the server's pg_hba.conf";
  }

  private static String rejectionAdvice(String message) {
    return message.contains("SSL")
        ? "switch TLS on at the server (ssl=on), or set sslmode=disable in the url to send"
            + " everything in plain text"
        : "give the user's password if it is missing";
  }

  private static Optional<DatabaseConnectionFailure> ofTls(SQLException e, String message) {
    Optional<TlsFailure> tls = TlsFailure.of(e);
    if (tls.isPresent()) {
      return failure(e, tls.get().toString(), tlsAdvice(tls.get().kind()));
    }
    if (message.contains("HostnameVerifier")) {
      return failure(
          e,
          "the server's certificate is not for this host (" + message + ")",
          tlsAdvice(TlsFailure.Kind.WRONG_HOST));
    }
    List<Throwable> causes = Wrappers.chain(e);
    if (causes.stream().anyMatch(DatabaseConnectionFailure::isMissingFile)) {
      return failure(e, message, "check the files of sslrootcert, sslcert and sslkey in the url");
    }
    if (causes.stream().anyMatch(GeneralSecurityException.class::isInstance)) {
      return failure(
          e,
          message,
          "sslkey in the url must name a key in PKCS #8: PEM in a file that ends in .pem, with"
              + " pemKeyAlgorithm=EC unless it is RSA, or DER in one that ends in .pk8");
    }
    return isCutInHandshake(e, causes)
        ? failure(
            e,
            "the server ended the connection while TLS was being agreed on (" + message + ")",
            "if that goes on, it may refuse the client certificate of sslcert in the url: "
                + ACCEPTED_CERTIFICATE)
        : Optional.empty();
  }

  /**
   * Whether the server hung up before the login. One that refuses a certificate says so and hangs
   * up at once; whoever is still sending then may not get to read why. Where the cause was thrown
   * is what tells: with a login timeout, the driver makes its own exception look as if it were from
   * the thread that waited.
   */
  private static boolean isCutInHandshake(SQLException e, List<Throwable> causes) {
    return causes.stream()
        .filter(cause -> cause instanceof IOException && isFrom(cause, TLS))
        .anyMatch(cause -> NOT_MADE.equals(e.getSQLState()) || isFrom(cause, HANDSHAKE));
  }

  private static boolean isFrom(Throwable error, String code) {
    return Arrays.stream(error.getStackTrace())
        .anyMatch(frame -> frame.getClassName().startsWith(code));
  }

  private static boolean isMissingFile(Throwable cause) {
    return cause instanceof FileNotFoundException || cause instanceof NoSuchFileException;
  }

  private static String tlsAdvice(TlsFailure.Kind kind) {
    return switch (kind) {
      case UNKNOWN_AUTHORITY ->
          "name the file with the certificate of the server's authority as sslrootcert in the url";
      case WRONG_HOST ->
          "write the host in the url as the certificate has it, or give the server one for this"
              + " host";
      case EXPIRED -> "give the server a new one";
      case NOT_YET_VALID -> "check the clocks of both machines";
      case CLIENT_CERTIFICATE ->
          "name the client's certificate and key as sslcert and sslkey in the url; "
              + ACCEPTED_CERTIFICATE;
      case NO_COMMON_PROTOCOL -> "check ssl_min_protocol_version and ssl_ciphers of the server";
      case OTHER -> "check sslmode in the url, and that the port is the database's";
    };
  }

  private static Optional<DatabaseConnectionFailure> failure(
      SQLException e, String reason, String advice) {
    return Optional.of(
        new DatabaseConnectionFailure(reason, advice, String.valueOf(e.getSQLState())));
  }

  /** What is wrong and what to do, in one line. */
  @Override
  public String toString() {
    return "%s (SQLSTATE %s); %s".formatted(reason, sqlState, advice);
  }
}
