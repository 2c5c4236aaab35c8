package dev.postcommit.server.security;

import dev.postcommit.testkit.postgres.PostgresServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A wrong setting of TLS or a login to Postgres is named, with what to set. */
abstract class WrongPostgresSecurity {
  private static final SecureServers SERVERS = SecureServers.shared();
  private static final String PASSWORD = SecureServers.PASSWORD;

  private static String file(String name) {
    return SERVERS.directory().resolve(name).toString();
  }

  private static String url(PostgresServer server, String parameters) {
    return "jdbc:postgresql://127.0.0.1:%d/postgres?%s".formatted(server.port(), parameters);
  }

  private static Map<String, String> database(
      PostgresServer server, String user, String password, String parameters) {
    return Map.of(
        "POSTCOMMIT_DATABASE_URL", url(server, parameters),
        "POSTCOMMIT_DATABASE_USER", user,
        "POSTCOMMIT_DATABASE_PASSWORD", password);
  }

  private static String verified(String authority) {
    return "sslmode=verify-full&sslrootcert=" + file(authority);
  }

  private static String certificate(String name) {
    return verified("ca.crt")
        + "&pemKeyAlgorithm=EC&sslcert=%s&sslkey=%s"
            .formatted(file(name + ".crt"), file(name + ".pem"));
  }

  @Test
  void ofPostgres() {
    PostgresServer postgres = SERVERS.postgres();
    PostgresServer plain = PostgresServer.shared();
    try (PostgresServer elsewhere = SERVERS.postgres("elsewhere");
        PostgresServer expired = SERVERS.postgres("expired")) {
      WrongSetting.assertAll(
          List.of(
              new WrongSetting(
                  "unknown authority",
                  database(postgres, "app", PASSWORD, verified("other-ca.crt")),
                  "the server's certificate is signed by an authority that is not trusted",
                  "sslrootcert in the url"),
              new WrongSetting(
                  "missing file",
                  database(postgres, "app", PASSWORD, verified("nowhere.crt")),
                  file("nowhere.crt"),
                  "check the files of sslrootcert"),
              new WrongSetting(
                  "wrong host",
                  database(elsewhere, "app", PASSWORD, verified("ca.crt")),
                  "the server's certificate is not for this host",
                  "127.0.0.1",
                  "write the host in the url as the certificate has it"),
              new WrongSetting(
                  "expired",
                  database(expired, "app", PASSWORD, verified("ca.crt")),
                  "the server's certificate has expired (NotAfter: ",
                  "give the server a new one"),
              new WrongSetting(
                  "no TLS at the server",
                  database(plain, "postgres", PASSWORD, verified("ca.crt")),
                  "The server does not support SSL",
                  "ssl=on",
                  "sslmode=disable"),
              new WrongSetting(
                  "no TLS at the client",
                  database(postgres, "app", PASSWORD, "sslmode=disable"),
                  "no encryption",
                  "set sslmode=verify-full in the url"),
              new WrongSetting(
                  "wrong password",
                  database(postgres, "app", "wrong", verified("ca.crt")),
                  "password authentication failed for user \"app\"",
                  "check --database-user and --database-password"),
              new WrongSetting(
                  "no password",
                  database(postgres, "app", "", verified("ca.crt")),
                  "no password was provided",
                  "give the user's password"),
              new WrongSetting(
                  "no client certificate",
                  database(postgres, "relay", "", verified("ca.crt")),
                  "connection requires a valid client certificate",
                  "sslcert and sslkey in the url"),
              new WrongSetting(
                  "client certificate of another authority",
                  database(postgres, "relay", "", certificate("stranger")),
                  "connection requires a valid client certificate",
                  "an authority that the server trusts"),
              new WrongSetting(
                  "expired client certificate",
                  database(postgres, "relay", "", certificate("expired-relay")),
                  // Whether the client gets to read the alert is a matter of luck.
                  "client certificate",
                  "sslcert",
                  "it must not be expired"),
              new WrongSetting(
                  "certificate of another user",
                  database(postgres, "relay", "", certificate("server")),
                  "certificate authentication failed for user \"relay\"",
                  "for this user"),
              new WrongSetting(
                  "key of another kind",
                  database(
                      postgres,
                      "relay",
                      "",
                      certificate("relay").replace("pemKeyAlgorithm=EC&", "")),
                  "pemKeyAlgorithm=EC unless it is RSA")),
          true);
    }
  }
}
