package dev.postcommit.testkit.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;

/**
 * A certificate with its private key.
 *
 * @param key the private key
 * @param certificate the certificate
 * @param authority the certificate of who signed it
 */
public record IssuedCertificate(
    PrivateKey key, X509Certificate certificate, X509Certificate authority) {

  /** The password of every key store; what a test makes is no secret. */
  public static final String STORE_PASSWORD = "changeit";

  /** The certificate in PEM. */
  public String certificatePem() {
    return pem("CERTIFICATE", CertificateAuthority.encoded(certificate));
  }

  /** The key in PEM, in PKCS #8 without a password. */
  public String keyPem() {
    return pem("PRIVATE KEY", key.getEncoded());
  }

  /**
   * Writes the certificate and its key in all forms that servers and clients ask for: {@code .crt}
   * and {@code .key} in PEM, both together as {@code .pem}, and a PKCS #12 key store as {@code
   * .p12} with the password {@value #STORE_PASSWORD}. Only the owner may read them.
   */
  public void writeTo(Path directory, String name) {
    try {
      write(directory.resolve(name + ".crt"), certificatePem().getBytes(US_ASCII));
      write(directory.resolve(name + ".key"), keyPem().getBytes(US_ASCII));
      write(directory.resolve(name + ".pem"), (keyPem() + certificatePem()).getBytes(US_ASCII));
      Path store = directory.resolve(name + ".p12");
      write(store, new byte[0]);
      try (OutputStream out = Files.newOutputStream(store)) {
        writeStore(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + name + " to " + directory, e);
    }
  }

  private void writeStore(OutputStream out) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      char[] password = STORE_PASSWORD.toCharArray();
      store.setKeyEntry("user", key, password, new Certificate[] {certificate, authority});
      store.store(out, password);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("could not make a key store", e);
    }
  }

  private static void write(Path file, byte[] content) throws IOException {
    Files.write(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  static String pem(String what, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what, text);
  }

  /** Leaves out the key. */
  @Override
  public String toString() {
    return certificate.getSubjectX500Principal().getName();
  }
}
