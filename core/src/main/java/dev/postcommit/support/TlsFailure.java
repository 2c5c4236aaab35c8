package dev.postcommit.support;

import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Why a connection with TLS could not be made, which clients tend to hide behind "SSL handshake
 * failed".
 *
 * @param kind what is wrong
 * @param detail what Java or the server say of it
 */
public record TlsFailure(Kind kind, String detail) {

  /** What can be wrong, from the client's side. */
  public enum Kind {
    /** Nobody whom the client trusts has signed the server's certificate. */
    UNKNOWN_AUTHORITY("the server's certificate is signed by an authority that is not trusted"),
    /** The server's certificate is another host's. */
    WRONG_HOST("the server's certificate is not for this host"),
    /** The server's certificate is out of date. */
    EXPIRED("the server's certificate has expired"),
    /** The server's certificate is not valid yet, or a clock is wrong. */
    NOT_YET_VALID("the server's certificate is not valid yet"),
    /** The server got no certificate from the client, or one that it does not accept. */
    CLIENT_CERTIFICATE(
        "the server asks for a client certificate, and got none or one that it does not accept"),
    /** They do not understand each other. */
    NO_COMMON_PROTOCOL("client and server have no version or cipher of TLS in common"),
    /** Something else. */
    OTHER("TLS could not be agreed on");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /** The alerts of RFC 8446 by which a server refuses a certificate, or the lack of one. */
  private static final Set<String> REFUSED_CERTIFICATE =
      Set.of(
          "bad_certificate",
          "unsupported_certificate",
          "certificate_revoked",
          "certificate_expired",
          "certificate_unknown",
          "certificate_required",
          "unknown_ca",
          "access_denied");

  private static final Set<String> NOTHING_IN_COMMON =
      Set.of("protocol_version", "handshake_failure", "insufficient_security");

  /** Java has no type for the alerts of the other side, only their names in a message. */
  private static final Pattern ALERT = Pattern.compile("fatal alert: ([a-z_]+)");

  /** What was wrong with TLS, if that is behind {@code error}. */
  public static Optional<TlsFailure> of(Throwable error) {
    List<Throwable> causes = Wrappers.chain(error);
    for (Throwable cause : causes) {
      if (cause instanceof CertPathBuilderException) {
        return Optional.of(new TlsFailure(Kind.UNKNOWN_AUTHORITY, text(cause)));
      }
      if (cause instanceof CertificateExpiredException) {
        return Optional.of(new TlsFailure(Kind.EXPIRED, text(cause)));
      }
      if (cause instanceof CertificateNotYetValidException) {
        return Optional.of(new TlsFailure(Kind.NOT_YET_VALID, text(cause)));
      }
    }
    return causes.stream()
        .filter(SSLException.class::isInstance)
        .findFirst()
        .flatMap(TlsFailure::ofConnection);
  }

  private static Optional<TlsFailure> ofConnection(Throwable error) {
    // After the checks of the path, all that Java checks by itself is the name of the host.
    if (error.getCause() instanceof CertificateException mismatch
        && mismatch.getClass() == CertificateException.class) {
      return Optional.of(new TlsFailure(Kind.WRONG_HOST, text(mismatch)));
    }
    Matcher alert = ALERT.matcher(text(error));
    if (alert.find()) {
      return Optional.of(ofAlert(alert.group(1)));
    }
    // What else goes wrong is an outage, unless both were still there and could not agree.
    return error instanceof SSLHandshakeException && !(error.getCause() instanceof IOException)
        ? Optional.of(new TlsFailure(Kind.OTHER, text(error)))
        : Optional.empty();
  }

  private static TlsFailure ofAlert(String alert) {
    Kind kind = NOTHING_IN_COMMON.contains(alert) ? Kind.NO_COMMON_PROTOCOL : Kind.OTHER;
    return new TlsFailure(
        REFUSED_CERTIFICATE.contains(alert) ? Kind.CLIENT_CERTIFICATE : kind,
        "it answers " + alert);
  }

  private static String text(Throwable error) {
    @Nullable String message = error.getMessage();
    return message == null ? error.getClass().getSimpleName() : message;
  }

  /** What is wrong, in words. */
  @Override
  public String toString() {
    return kind.text + " (" + detail + ")";
  }
}
