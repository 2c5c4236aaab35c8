package dev.postcommit.server.security;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** TLS and logins, all on one set of servers, which take a while to start. */
class WireSecurityIT {

  @Nested
  @DisplayName("the recipes of docs/security.md")
  class Recipes extends SecurityRecipes {}

  @Nested
  @DisplayName("wrong settings of Postgres")
  class WrongPostgres extends WrongPostgresSecurity {}

  @Nested
  @DisplayName("wrong settings of Kafka")
  class WrongKafka extends WrongKafkaSecurity {}

  @Nested
  @DisplayName("wrong settings of Redis")
  class WrongRedis extends WrongRedisSecurity {}

  @Nested
  @DisplayName("the log")
  class Quiet extends QuietSecurity {}
}
