/**
 * Certificates for servers with TLS. Start with {@link
 * dev.postcommit.testkit.tls.CertificateAuthority}.
 */
@NullMarked
package dev.postcommit.testkit.tls;

import org.jspecify.annotations.NullMarked;
