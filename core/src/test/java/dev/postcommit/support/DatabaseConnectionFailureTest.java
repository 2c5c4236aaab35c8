package dev.postcommit.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.SocketException;
import java.security.cert.CertificateNotYetValidException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class DatabaseConnectionFailureTest {

  private static String text(Throwable error) {
    return DatabaseConnectionFailure.of(error)
        .map(DatabaseConnectionFailure::toString)
        .orElse("none");
  }

  @Test
  void aPoolDoesNotHideTheCause() {
    SQLException cause = new SQLException("FATAL: password authentication failed\n  more", "28P01");
    assertThat(text(new SQLTransientConnectionException("pool - timed out after 30000ms", cause)))
        .isEqualTo(
            "FATAL: password authentication failed (SQLSTATE 28P01); check the user and its"
                + " password");
  }

  @Test
  void whatTheServerSaysInAnotherLanguageIsStillALogin() {
    assertThat(text(new SQLException("FATALE: nessuna voce in pg_hba.conf", "28000")))
        .endsWith(
            "; check the user and its password, and sslmode in the url, against the server's"
                + " pg_hba.conf");
  }

  @Test
  void aCertificateOfTomorrowIsAboutClocks() {
    SSLHandshakeException handshake = new SSLHandshakeException("validity check failed");
    handshake.initCause(new CertificateNotYetValidException("NotBefore: tomorrow"));
    assertThat(text(new SQLException("SSL error", "08006", handshake)))
        .isEqualTo(
            "the server's certificate is not valid yet (NotBefore: tomorrow) (SQLSTATE 08006);"
                + " check the clocks of both machines");
  }

  /** As the driver throws it with a login timeout: without its own frames. */
  @Test
  void aServerThatHangsUpDuringTheHandshakeMayRefuseTheCertificate() {
    IOException cut = new SocketException("Broken pipe");
    cut.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("sun.security.ssl.SSLSocketImpl", "startHandshake", null, 1),
          new StackTraceElement("org.postgresql.ssl.MakeSSL", "convert", null, 1)
        });
    assertThat(text(new SQLException("SSL error: Broken pipe", "08006", cut)))
        .contains("while TLS was being agreed on", "client certificate", "it must not be expired");
  }

  @Test
  void otherErrorsAreLeftAsTheyAre() {
    assertThat(text(new SQLException("connection refused", "08001"))).isEqualTo("none");
    assertThat(text(new SQLException("out of memory", "53200"))).isEqualTo("none");
    assertThat(text(new SQLException("no state", (String) null))).isEqualTo("none");
    assertThat(text(new IllegalStateException("closed"))).isEqualTo("none");
    IOException reset = new SSLException("reset", new SocketException("Connection reset"));
    reset.setStackTrace(
        new StackTraceElement[] {new StackTraceElement("sun.security.ssl.Alert", "x", null, 1)});
    assertThat(text(new SQLException("I/O error while sending", "08006", reset))).isEqualTo("none");
  }
}
