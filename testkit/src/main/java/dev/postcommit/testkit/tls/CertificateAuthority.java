package dev.postcommit.testkit.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import javax.security.auth.x500.X500Principal;

/**
 * A certificate authority for tests of TLS, with a key of its own that only this JVM has.
 *
 * <p>Every key is an elliptic one, so that making it takes no time. Safe for use by many threads.
 */
public final class CertificateAuthority {
  private static final String SIGNATURE = "SHA256withECDSA";
  private static final byte[] SIGNATURE_ALGORITHM =
      Der.sequence(Der.objectId("1.2.840.10045.4.3.2"));
  private static final Duration VALID = Duration.ofDays(1);

  /** Signs certificates (bit 5) and lists of revoked ones (bit 6). */
  private static final byte[] SIGNS_CERTIFICATES = {3, 2, 1, 6};

  private final KeyPair keys;
  private final X500Principal name;
  private final X509Certificate certificate;

  private CertificateAuthority(String name) {
    this.name = principal(name);
    this.keys = newKeys();
    Instant now = Instant.now();
    this.certificate =
        sign(
            this.name,
            keys,
            now.minus(VALID),
            now.plus(VALID),
            List.of(
                Der.extension("2.5.29.19", true, Der.sequence(Der.bool(true))),
                Der.extension("2.5.29.15", true, SIGNS_CERTIFICATES)));
  }

  /** Makes an authority with a common name. */
  public static CertificateAuthority create(String name) {
    return new CertificateAuthority(name);
  }

  /**
   * Makes a certificate and its key.
   *
   * @param commonName its common name, which a client's certificate has for a user
   * @param hosts what it is valid for, as {@code localhost} or {@code 127.0.0.1}
   */
  public IssuedCertificate issue(String commonName, String... hosts) {
    return issue(commonName, Instant.now().plus(VALID), hosts);
  }

  /** Makes a certificate that has expired an hour ago. */
  public IssuedCertificate issueExpired(String commonName, String... hosts) {
    return issue(commonName, Instant.now().minus(Duration.ofHours(1)), hosts);
  }

  private IssuedCertificate issue(String commonName, Instant until, String... hosts) {
    KeyPair own = newKeys();
    List<byte[]> extensions = new ArrayList<>();
    if (hosts.length > 0) {
      extensions.add(Der.extension("2.5.29.17", false, Der.hosts(hosts)));
    }
    X509Certificate issued =
        sign(principal(commonName), own, Instant.now().minus(VALID), until, extensions);
    return new IssuedCertificate(own.getPrivate(), issued, certificate);
  }

  /** The certificate of the authority, which those who trust it need. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** Its certificate in PEM. */
  public String pem() {
    return IssuedCertificate.pem("CERTIFICATE", encoded(certificate));
  }

  /** Writes its certificate to a file in PEM. */
  public Path writeTo(Path file) {
    try {
      return Files.writeString(file, pem());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private X509Certificate sign(
      X500Principal subject, KeyPair of, Instant from, Instant until, List<byte[]> extensions) {
    List<byte[]> fields =
        new ArrayList<>(
            List.of(
                Der.tagged(0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(64, ThreadLocalRandom.current())),
                SIGNATURE_ALGORITHM,
                name.getEncoded(),
                Der.sequence(Der.time(from), Der.time(until)),
                subject.getEncoded(),
                of.getPublic().getEncoded()));
    if (!extensions.isEmpty()) {
      fields.add(Der.tagged(3, Der.sequence(extensions.toArray(byte[][]::new))));
    }
    byte[] content = Der.sequence(fields.toArray(byte[][]::new));
    try {
      Signature signature = Signature.getInstance(SIGNATURE);
      signature.initSign(keys.getPrivate());
      signature.update(content);
      byte[] whole = Der.sequence(content, SIGNATURE_ALGORITHM, Der.bits(signature.sign()));
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(whole));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("could not sign a certificate", e);
    }
  }

  static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X500Principal principal(String commonName) {
    return new X500Principal("CN=" + commonName);
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("could not make a key", e);
    }
  }
}
