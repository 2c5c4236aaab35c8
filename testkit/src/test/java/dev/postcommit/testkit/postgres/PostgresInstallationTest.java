package dev.postcommit.testkit.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PostgresInstallationTest {

  @Test
  void thereIsAnArchiveForEachSystem() {
    assertThat(PostgresInstallation.archiveName("Linux", "amd64"))
        .isEqualTo("postgres-linux-x86_64.txz");
    assertThat(PostgresInstallation.archiveName("Linux", "aarch64"))
        .isEqualTo("postgres-linux-arm_64.txz");
    assertThat(PostgresInstallation.archiveName("Mac OS X", "x86_64"))
        .isEqualTo("postgres-darwin-x86_64.txz");
    assertThat(PostgresInstallation.archiveName("Mac OS X", "aarch64"))
        .isEqualTo("postgres-darwin-arm_64.txz");
  }
}
