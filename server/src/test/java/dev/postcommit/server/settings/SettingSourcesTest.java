package dev.postcommit.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.SettingException;
import dev.postcommit.settings.TableSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of several relays, from all sources. */
class SettingSourcesTest {

  @TempDir private Path directory;

  private Settings read(Map<String, String> flags, Map<String, String> environment) {
    return Settings.read(flags, null, environment, directory);
  }

  private void file(String... lines) throws IOException {
    Files.writeString(directory.resolve("postcommit.properties"), String.join("\n", lines));
  }

  private AbstractThrowableAssert<?, ?> assertRefused(Map<String, String> environment) {
    return assertThatThrownBy(() -> read(Map.of(), environment))
        .isInstanceOf(SettingException.class);
  }

  private static int batchSize(Settings settings, String relay) {
    return settings.relay(relay).get(RelaySettings.BATCH_SIZE);
  }

  @Test
  void eachRelayHasSettingsOfItsOwnAndSharesTheOthers() throws IOException {
    file("postcommit.relays=a,b", "postcommit.lease=40s", "postcommit.relay.a.table=x");
    Settings settings = read(Map.of(), Map.of("POSTCOMMIT_RELAY_B_TABLE", "y"));

    assertThat(settings.relays()).containsExactly("a", "b");
    assertThat(settings.relay("a").get(TableSettings.TABLE)).hasToString("x");
    assertThat(settings.relay("b").get(TableSettings.TABLE)).hasToString("y");
    assertThat(settings.relay("a").get(RelaySettings.LEASE)).hasSeconds(40);
    assertThat(settings.relay("b").get(RelaySettings.LEASE)).hasSeconds(40);
  }

  @Test
  void aFlagGoesBeforeARelaysVariableItsPropertyTheVariableOfAllAndTheirProperty()
      throws IOException {
    file("postcommit.relays=a", "postcommit.batch.size=1");
    assertThat(batchSize(read(Map.of(), Map.of()), "a")).isEqualTo(1);
    Map<String, String> all = Map.of("POSTCOMMIT_BATCH_SIZE", "2");
    assertThat(batchSize(read(Map.of(), all), "a")).isEqualTo(2);

    file("postcommit.relays=a", "postcommit.batch.size=1", "postcommit.relay.a.batch.size=3");
    assertThat(batchSize(read(Map.of(), all), "a")).isEqualTo(3);
    Map<String, String> both =
        Map.of("POSTCOMMIT_BATCH_SIZE", "2", "POSTCOMMIT_RELAY_A_BATCH_SIZE", "4");
    assertThat(batchSize(read(Map.of(), both), "a")).isEqualTo(4);
    assertThat(batchSize(read(Map.of("batch-size", "5"), both), "a")).isEqualTo(5);
  }

  @Test
  void theNamesOfTheRelaysFollowTheSameOrder() throws IOException {
    file("postcommit.relays=by-file");
    Map<String, String> environment = Map.of("POSTCOMMIT_RELAYS", "by-variable");

    assertThat(read(Map.of(), Map.of()).relays()).containsExactly("by-file");
    assertThat(read(Map.of(), environment).relays()).containsExactly("by-variable");
    assertThat(read(Map.of("relays", "by-flag"), environment).relays()).containsExactly("by-flag");
  }

  @Test
  void theLongestNameThatFitsHasTheVariable() {
    Settings settings =
        read(
            Map.of("relays", "orders,orders-eu"),
            Map.of("POSTCOMMIT_RELAY_ORDERS_TABLE", "x", "POSTCOMMIT_RELAY_ORDERS_EU_TABLE", "y"));

    assertThat(settings.relay("orders").get(TableSettings.TABLE)).hasToString("x");
    assertThat(settings.relay("orders-eu").get(TableSettings.TABLE)).hasToString("y");
  }

  @Test
  void aDashIsAsGoodAsADotInAProperty() throws IOException {
    file("postcommit.relays=a-b", "postcommit.database-url=x", "postcommit.relay.a-b.batch-size=7");
    Settings settings = read(Map.of(), Map.of());

    assertThat(settings.isGiven(DatabaseSettings.DATABASE_URL)).isTrue();
    assertThat(batchSize(settings, "a-b")).isEqualTo(7);
  }

  @Test
  void bothSpellingsOfOnePropertyAreRefused() throws IOException {
    file("postcommit.batch.size=1", "postcommit.batch-size=2");
    assertRefused(Map.of())
        .hasMessageMatching(
            "postcommit.batch-size and postcommit.batch.size in .* are one setting; leave one of"
                + " them out");
    file(
        "postcommit.relays=a",
        "postcommit.relay.a.on.delivery=keep",
        "postcommit.relay.a.on-delivery=keep");
    assertRefused(Map.of()).hasMessageContaining("are one setting");
  }

  @Test
  void anUnknownRelayIsRefusedWithWhatToDo() throws IOException {
    assertRefused(Map.of("POSTCOMMIT_RELAY_A_TABLE", "x"))
        .hasMessage(
            "environment variable POSTCOMMIT_RELAY_A_TABLE is for one of several relays, and relays"
                + " is not set; give --relays, set POSTCOMMIT_RELAYS, or put postcommit.relays into"
                + " a file");
    assertRefused(Map.of("POSTCOMMIT_RELAY_C_TABLE", "x", "POSTCOMMIT_RELAYS", "a,b"))
        .hasMessage(
            "environment variable POSTCOMMIT_RELAY_C_TABLE is for none of the relays a,b; add its"
                + " relay to relays, or leave it out");
    file("postcommit.relay.c.table=x");
    assertRefused(Map.of())
        .hasMessageStartingWith("postcommit.relay.c.table in ")
        .hasMessageContaining(
            " is for one of several relays, and relays is not set; give --relays");
    assertRefused(Map.of("POSTCOMMIT_RELAYS", "a,b"))
        .hasMessageContaining(" is for none of the relays a,b; add its relay to relays");
    file("postcommit.relay.a=x");
    assertRefused(Map.of("POSTCOMMIT_RELAYS", "a,b"))
        .hasMessageStartingWith("postcommit.relay.a in ");
  }

  @Test
  void anUnknownSettingOfARelayIsRefusedWithTheClosestKnownOne() throws IOException {
    assertRefused(Map.of("POSTCOMMIT_RELAYS", "a", "POSTCOMMIT_RELAY_A_TABEL", "x"))
        .hasMessage(
            "unknown environment variable POSTCOMMIT_RELAY_A_TABEL; did you mean"
                + " POSTCOMMIT_RELAY_A_TABLE?");
    file("postcommit.relays=a", "postcommit.relay.a.leese=1s");
    assertRefused(Map.of())
        .hasMessageStartingWith("unknown setting postcommit.relay.a.leese in ")
        .hasMessageEndingWith("did you mean postcommit.relay.a.lease?");
  }

  @Test
  void aSettingOfTheProcessIsRefusedForOneRelay() throws IOException {
    assertRefused(Map.of("POSTCOMMIT_RELAYS", "a", "POSTCOMMIT_RELAY_A_HTTP_PORT", "1"))
        .hasMessage(
            "POSTCOMMIT_RELAY_A_HTTP_PORT: http-port is a setting of the whole process, not of one"
                + " relay; write POSTCOMMIT_HTTP_PORT");
    file("postcommit.relays=a", "postcommit.relay.a.log-format=json");
    assertRefused(Map.of())
        .hasMessageStartingWith("postcommit.relay.a.log-format in ")
        .hasMessageEndingWith(
            ": log-format is a setting of the whole process, not of one relay; write"
                + " postcommit.log-format");
  }

  @Test
  void oneOfSeveralRelaysIsChosenByName() {
    Settings several = read(Map.of("relays", "a,b"), Map.of("POSTCOMMIT_RELAY_A_TABLE", "x"));
    Settings single = read(Map.of(), Map.of("POSTCOMMIT_TABLE", "y"));

    assertThat(several.only("a").get(TableSettings.TABLE)).hasToString("x");
    assertThat(single.only(null).get(TableSettings.TABLE)).hasToString("y");
    assertThatThrownBy(() -> several.only(null))
        .hasMessage("relays is a,b; say which one is meant by --relay a or --relay b");
    assertThatThrownBy(() -> several.only("aa"))
        .hasMessage("there is no relay aa; did you mean a?");
    assertThatThrownBy(() -> single.only("a"))
        .hasMessage("there is no relay a, for relays is not set");
  }
}
