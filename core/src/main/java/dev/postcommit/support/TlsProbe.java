package dev.postcommit.support;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * Finds out what a port speaks, after a client got no answer there: one that speaks TLS to a port
 * that does not, or the other way round, is left without a word of why.
 */
public final class TlsProbe {

  /** What a port was found to be. */
  public enum Answer {
    /** It greets back in TLS. */
    TLS,
    /** It is open, and answers in some other way, or hangs up. */
    NO_TLS,
    /** It is open, and nothing comes back. */
    SILENT,
    /** Nobody listens there. */
    CLOSED,
    /** The host has no address. */
    UNKNOWN_HOST,
    /** No connection could be made in time, or at all. */
    UNREACHABLE
  }

  /** The first byte of an answer in TLS: an alert or a handshake. */
  private static final int ALERT = 21;

  private static final int HANDSHAKE = 22;

  /** The second byte: the major version of TLS in all its versions. */
  private static final int MAJOR_VERSION = 3;

  private TlsProbe() {}

  /** Asks a port; takes up to twice the time that is given. */
  public static Answer ask(String host, int port, Duration timeout) {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      return Answer.UNKNOWN_HOST;
    }
    int millis = Math.toIntExact(timeout.toMillis());
    try (Socket socket = new Socket()) {
      socket.connect(address, millis);
      socket.setSoTimeout(millis);
      return answer(socket, greeting());
    } catch (ConnectException e) {
      return Answer.CLOSED;
    } catch (IOException e) {
      return Answer.UNREACHABLE;
    }
  }

  private static Answer answer(Socket socket, byte[] greeting) {
    try {
      socket.getOutputStream().write(greeting);
      InputStream in = socket.getInputStream();
      int first = in.read();
      return (first == ALERT || first == HANDSHAKE) && in.read() == MAJOR_VERSION
          ? Answer.TLS
          : Answer.NO_TLS;
    } catch (SocketTimeoutException e) {
      return Answer.SILENT;
    } catch (IOException e) {
      // It hung up on a greeting that it did not understand.
      return Answer.NO_TLS;
    }
  }

  /** What a client says first. */
  private static byte[] greeting() throws IOException {
    try {
      SSLEngine engine = SSLContext.getDefault().createSSLEngine();
      engine.setUseClientMode(true);
      ByteBuffer greeting = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      engine.wrap(ByteBuffer.allocate(0), greeting);
      greeting.flip();
      byte[] bytes = new byte[greeting.remaining()];
      greeting.get(bytes);
      return bytes;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }
}
