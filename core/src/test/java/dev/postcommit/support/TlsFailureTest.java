package dev.postcommit.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.support.TlsFailure.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class TlsFailureTest {

  private static IOException handshake(Throwable cause) {
    SSLHandshakeException handshake = new SSLHandshakeException("terminated");
    handshake.initCause(cause);
    return handshake;
  }

  /** A server that goes down in the middle of anything is an outage, and no wrong setting. */
  @Test
  void aConnectionThatIsCutIsNoFailureOfTls() {
    assertThat(TlsFailure.of(new SSLException("reset", new SocketException("Connection reset"))))
        .isEmpty();
    assertThat(TlsFailure.of(handshake(new EOFException("no more")))).isEmpty();
    assertThat(TlsFailure.of(new SSLException("closing inbound before close_notify"))).isEmpty();
    assertThat(TlsFailure.of(new IOException("Connection refused"))).isEmpty();
  }

  @Test
  void anAlertIsToldByItsName() {
    assertThat(TlsFailure.of(new SSLException("Received fatal alert: unknown_ca")))
        .map(TlsFailure::kind)
        .contains(Kind.CLIENT_CERTIFICATE);
    // As of Java 21.
    assertThat(
            TlsFailure.of(
                new SSLHandshakeException(
                    "(certificate_required) Received fatal alert: certificate_required")))
        .map(TlsFailure::kind)
        .contains(Kind.CLIENT_CERTIFICATE);
    assertThat(TlsFailure.of(new SSLHandshakeException("Received fatal alert: protocol_version")))
        .map(TlsFailure::kind)
        .contains(Kind.NO_COMMON_PROTOCOL);
    assertThat(TlsFailure.of(new SSLHandshakeException("No appropriate protocol")))
        .map(TlsFailure::kind)
        .contains(Kind.OTHER);
  }
}
