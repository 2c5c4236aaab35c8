package dev.postcommit.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.settings.Setting;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UsageTest {
  private static final String[][] COMMANDS = {
    {"relay"},
    {"migrate"},
    {"grants"},
    {"status"},
    {"pause"},
    {"resume"},
    {"prune"},
    {"topics"},
    {"topics", "give-up"},
    {"dead"},
    {"dead", "list"},
    {"dead", "show"},
    {"dead", "replay"},
    {"dead", "discard"},
    {"dead", "audit"},
    {"dlt"},
    {"dlt", "list"},
    {"dlt", "show"},
    {"dlt", "replay"}
  };

  private final CapturedTerminal terminal = CapturedTerminal.withoutEnvironment();

  private void assertRefused(String message, String... args) {
    assertThat(terminal.run(args)).as(message).isEqualTo(2);
    assertThat(terminal.out()).isEmpty();
    assertThat(terminal.err()).hasLineCount(1).contains(message);
  }

  private static String[] with(String[] command, String more) {
    String[] args = Arrays.copyOf(command, command.length + 1);
    args[command.length] = more;
    return args;
  }

  @Test
  void everyCommandHasHelpWithExamples() {
    for (String[] command : COMMANDS) {
      assertThat(terminal.run(with(command, "--help"))).isZero();
      assertThat(terminal.out())
          .contains("Usage: postcommit " + String.join(" ", command))
          .contains("Examples:");
      assertThat(terminal.err()).isEmpty();
    }
  }

  @Test
  void relayHelpNamesEverySetting() {
    assertThat(terminal.run("relay", "--help")).isZero();
    for (Setting<?> setting : ServerSettings.ALL) {
      assertThat(terminal.out()).contains(setting.flag() + "=<");
    }
  }

  @Test
  void theVersionIsTheOneOfTheBuild() {
    assertThat(terminal.run("--version")).isZero();
    assertThat(terminal.out().strip()).matches("postcommit \\d+\\.\\d+.*");
  }

  @Test
  void noCommandAtAllShowsHelpAsAnError() {
    assertThat(terminal.run()).isEqualTo(2);
    assertThat(terminal.out()).isEmpty();
    assertThat(terminal.err()).contains("Commands:");
  }

  @Test
  void whatIsNotKnownIsRefusedInOneLineWithTheClosestKnownName() {
    assertRefused("unknown command 'stauts'; did you mean status?", "stauts");
    assertRefused("unknown option --lese; did you mean --lease?", "relay", "--lese", "5s");
    assertRefused("unknown option --lese; did you mean --lease?", "relay", "--lese=5s");
    assertRefused("unknown option --lease", "status", "--lease", "5s");
    assertRefused("unexpected argument 'more'", "status", "more");
  }

  @Test
  void whatIsMissingOrInvalidIsRefusedInOneLine() {
    assertRefused("database-url is not set; give --database-url", "status");
    assertRefused("missing required option: '--older-than=<time>'", "prune");
    assertRefused("missing required parameter: '<id>'", "dead", "show");
    assertRefused("missing required parameter: '<topic>'", "topics", "give-up");
    assertRefused("name the topic", "topics", "give-up", " ", "--reason", "x");
    assertRefused("unknown command 'giveup'; did you mean give-up?", "topics", "giveup");
    assertRefused("--limit: '0'", "dead", "list", "--limit", "0");
    assertRefused("--limit: '0'", "dead", "audit", "--limit", "0");
    assertRefused("--from: 'x' is not a time", "dead", "list", "--from", "x");
    assertRefused("--before: '2026-02-30' is not a time", "dead", "list", "--before", "2026-02-30");
    assertRefused("give a command: list, show, replay, discard or audit", "dead");
    assertRefused("--older-than: 'x' is not a duration", "prune", "--older-than", "x");
    assertRefused("give a command: list, show or replay", "dlt");
    assertRefused("missing required option: '--topic=<topic>'", "dlt", "list");
    assertRefused("--topic: name the dead-letter topic", "dlt", "list", "--topic", " ");
    assertRefused("missing required parameter: '<id>'", "dlt", "show", "--topic", "t");
    assertRefused("--limit: '0'", "dlt", "list", "--topic", "t", "--limit", "0");
    assertRefused("--from: 'x' is not a time", "dlt", "list", "--topic", "t", "--from", "x");
    assertRefused("kafka-bootstrap-servers is not set", "dlt", "list", "--topic", "t");
    assertRefused(
        "kafka-config: acks must be all",
        "dlt",
        "list",
        "--topic=t",
        "--kafka-bootstrap-servers=localhost:1",
        "--kafka-config=acks=1");
  }

  @Test
  void whatIsToBeChangedIsGivenByIdsOrAFilterOrAll() {
    String which = "give ids of dead events, a filter such as --type, or --all";
    assertRefused(which, "dead", "replay");
    assertRefused(which, "dead", "discard", "--reason", "x");
    assertRefused(which, "dead", "replay", "--all", "id");
    assertRefused(which, "dead", "replay", "--all", "--type", "x");
    String letters = "give ids of dead letters, a filter such as --type, or --all";
    assertRefused(letters, "dlt", "replay", "--topic", "t");
    assertRefused(letters, "dlt", "replay", "--topic", "t", "--all", "id");
    assertRefused(letters, "dlt", "replay", "--topic", "t", "--all", "--consumer", "x");
  }

  @Test
  void aDecisionNeedsAnOperatorAndADiscardAReason() {
    assertRefused("--reason: say why", "dead", "discard", "id");
    assertRefused("--reason: say why", "dead", "discard", "id", "--reason", " ");
    assertRefused("--reason: say why", "dead", "replay", "id", "--reason", "");
    assertRefused("--operator: say who", "dead", "replay", "id", "--operator", " ");
    assertRefused("--operator: say who", "dlt", "replay", "id", "--topic=t", "--operator= ");
    assertRefused("--reason: say why", "pause", "--reason", " ");
    assertRefused("--reason: say why", "topics", "give-up", "t");
    assertRefused("--operator: say who", "topics", "give-up", "t", "--reason=x", "--operator= ");
    assertRefused("--operator: say who", "resume", "--operator", " ");
    assertRefused("--reason: say why", "dlt", "replay", "id", "--topic=t", "--reason=");
  }

  @Test
  void variablesAreCheckedByEveryCommandThatHasSettings() {
    CapturedTerminal mistaken = CapturedTerminal.withEnvironment(Map.of("POSTCOMMIT_TABEL", "x"));
    assertThat(mistaken.run("status")).isEqualTo(2);
    assertThat(mistaken.err())
        .isEqualToIgnoringNewLines(
            "postcommit status: unknown environment variable POSTCOMMIT_TABEL; did you mean"
                + " POSTCOMMIT_TABLE?");
  }

  @Test
  void aCommandOnATableAsksWhichOfSeveralRelaysIsMeant() {
    CapturedTerminal several =
        CapturedTerminal.withEnvironment(
            Map.of(
                "POSTCOMMIT_RELAYS", "a,b",
                "POSTCOMMIT_RELAY_A_DATABASE_URL", "jdbc:postgresql://localhost:1/of-a"));
    String[][] commands = {{"status"}, {"migrate"}, {"dead", "list"}, {"prune", "--older-than=1d"}};
    for (String[] command : commands) {
      assertThat(several.run(command)).isEqualTo(2);
      assertThat(several.err())
          .hasLineCount(1)
          .contains("relays is a,b; say which one is meant by --relay a or --relay b");
      assertThat(several.run(with(command, "--relay=a"))).isEqualTo(1);
      assertThat(several.err()).hasLineCount(1).contains("jdbc:postgresql://localhost:1/of-a");
      assertThat(several.run(with(command, "--relay=b"))).isEqualTo(2);
      assertThat(several.err()).contains("database-url is not set");
    }
  }

  @Test
  void anAddressOfTheDatabaseThatIsRefusedIsNotShown() {
    for (String url : new String[] {"jdbc:mysql://db/app", "jdbc:postgresql://db:port/app"}) {
      assertRefused(
          "database-url: the value is not a Postgres address; write jdbc:postgresql://host:5432",
          "status",
          "--database-url=" + url + "?password=hunter2");
      assertThat(terminal.err()).doesNotContain("hunter2");
    }
    assertRefused(
        "database-url: the value has a user before the host; leave that out, and give"
            + " database-user and database-password",
        "status",
        "--database-url=jdbc:postgresql://me:hunter2@db:5432/app");
    assertThat(terminal.err()).doesNotContain("hunter2");
  }

  @Test
  void relaySettingsThatContradictEachOtherAreRefused() {
    String[] servers = {
      "relay",
      "--database-url",
      "jdbc:postgresql://localhost:1/x",
      "--kafka-bootstrap-servers",
      "localhost:1"
    };
    assertRefused(
        "max-attempts must be given for the modkit layout", with(servers, "--layout=modkit"));
    assertRefused(
        "poll-interval (20s) must be at most a third of lease (30s)",
        with(servers, "--poll-interval=20s"));
    assertRefused(
        "lease (5s) must be longer than a delivery may take", with(servers, "--lease=5s"));
    assertRefused("kafka-config: acks must be all", with(servers, "--kafka-config=acks=1"));
    assertRefused(
        "set --kafka-bootstrap-servers", with(servers, "--kafka-config=bootstrap.servers=x"));
    assertRefused("there is no file none", with(servers, "--kafka-config-file=none"));
    assertRefused(
        "set kafka-transactional-id instead of transactional.id",
        with(servers, "--kafka-config=transactional.id=x"));
    assertRefused(
        "kafka-transactional-id: ' ' is blank; write a name, or leave it out",
        with(with(servers, "--layout=log"), "--kafka-transactional-id= "));
    assertRefused(
        "kafka-transactional-id is 'x', and the native layout has no checkpoint",
        with(servers, "--kafka-transactional-id=x"));
    assertRefused("source is not set", with(servers, "--layout=polyshop"));
    assertRefused(
        "route is registry, and there is none; give --registry-file",
        with(servers, "--route=registry"));
    assertRefused("registry-file: none: the file is not", with(servers, "--registry-file=none"));
    assertRefused(
        "--retention is '5d', and --on-delivery is delete, so that no row is kept; leave --retention"
            + " out, or set --on-delivery keep",
        with(with(servers, "--on-delivery=delete"), "--retention=5d"));
    assertRefused(
        "--standby-names is 'replica1', and wait-for-standbys is 0; leave --standby-names out, or set"
            + " --wait-for-standbys 1",
        with(servers, "--standby-names=replica1"));
    assertRefused(
        "wait-for-standbys is 1, and standby-names has 0 names; give --standby-names, set",
        with(servers, "--wait-for-standbys=1"));
    assertRefused(
        "wait-for-standbys is 2, and --standby-names has 1 name;",
        with(with(servers, "--wait-for-standbys=2"), "--standby-names=replica1"));
    assertRefused(
        "standby-names: 'a,A' is not a list of standbys: the standby A is named twice",
        with(with(servers, "--wait-for-standbys=1"), "--standby-names=a,A"));
    assertRefused(
        "on-delivery is delete, and rows of the log layout are not deleted one by one",
        with(with(servers, "--layout=log"), "--on-delivery=delete"));
    assertRefused(
        "--namespace is 'a', and a table of the log layout is read as a whole, by one relay; leave"
            + " --namespace out, or set --layout native",
        with(with(servers, "--layout=log"), "--namespace=a"));
    assertRefused(
        "--tenant is '0197a1b2-0000-7000-8000-00000000000a', and a table of the log layout is read"
            + " as a whole",
        with(with(servers, "--layout=log"), "--tenant=0197a1b2-0000-7000-8000-00000000000a"));
    String[] named = {"relay", "--database-url=jdbc:postgresql://localhost:1/x?user=a&password=b"};
    assertRefused(
        "--database-user is 'a', and --database-url names a user; leave --database-user out",
        with(named, "--database-user=a"));
    assertRefused(
        "--database-password is given, and --database-url has a password; leave --database-password"
            + " out",
        with(named, "--database-password=b"));
  }

  @Test
  void processSettingsThatContradictEachOtherAreRefused() {
    String[] relay = {
      "relay",
      "--database-url=jdbc:postgresql://localhost:1/x",
      "--kafka-bootstrap-servers=localhost:1"
    };
    String token = "--admin-token=0123456789abcdef";
    assertRefused(
        "--admin-token is given, and admin-port is off; leave --admin-token out, or set --admin-port"
            + " 8581",
        with(relay, token));
    assertRefused(
        "--admin-address is '0.0.0.0', and admin-port is off; leave --admin-address out",
        with(relay, "--admin-address=0.0.0.0"));
    assertRefused(
        "--http-address is '0.0.0.0', and --http-port is off; leave --http-address out, or set"
            + " --http-port",
        with(with(relay, "--http-port=off"), "--http-address=0.0.0.0"));
    assertRefused("admin-port is set, and admin-token is not", with(relay, "--admin-port=0"));
    assertRefused(
        "--admin-port and http-port are both 8580; give --admin-port one of its own",
        with(with(relay, token), "--admin-port=8580"));
    assertRefused(
        "log-level: 'info,a=loud' is not a list of levels as info,dev.postcommit=debug: 'a=loud' is"
            + " not one of trace, debug, info, warn, error, off",
        with(relay, "--log-level=info,a=loud"));
    assertRefused("names no logger, or one twice", with(relay, "--log-level=info,debug"));
  }

  @Test
  void theProcessAloneHasNoSandbox() {
    assertRefused(
        "postcommit relay: there is no sandbox in this build; run './postcommit relay --sandbox'"
            + " from the sources, or leave --sandbox out and name a database and a broker",
        "relay",
        "--sandbox");
  }

  @Test
  void settingsOfTheOtherBrokerAreRefused() {
    String[] relay = {"relay", "--database-url", "jdbc:postgresql://localhost:1/x"};
    String[] pubsub = with(relay, "--broker=pubsub");
    assertRefused("kafka-bootstrap-servers is not set; give --kafka-bootstrap-servers", relay);
    assertRefused(
        "pubsub-project is not set; give --pubsub-project, set POSTCOMMIT_PUBSUB_PROJECT, or put"
            + " postcommit.pubsub.project into a file",
        pubsub);
    assertRefused(
        "--kafka-bootstrap-servers is 'localhost:1', and --broker is pubsub; leave"
            + " --kafka-bootstrap-servers out, or set --broker kafka",
        with(with(pubsub, "--pubsub-project=p"), "--kafka-bootstrap-servers=localhost:1"));
    String forPubSub =
        "--pubsub-project is 'p', and broker is kafka; leave --pubsub-project out, or set --broker"
            + " pubsub";
    assertRefused(forPubSub, with(relay, "--pubsub-project=p"));
    assertRefused(
        forPubSub,
        "status",
        "--database-url=jdbc:postgresql://localhost:1/x",
        "--pubsub-project=p");
  }

  @Test
  void settingsThatPubSubDoesNotTakeAreRefused() {
    String[] table = {"relay", "--database-url=jdbc:postgresql://localhost:1/x"};
    assertRefused("broker: 'pubsup' is not one of kafka, pubsub", with(table, "--broker=pubsup"));
    assertRefused(
        "broker pubsub: 'My Project' is no id of a Google Cloud project",
        with(with(table, "--broker=pubsub"), "--pubsub-project=My Project"));
    String[] relay = with(with(table, "--broker=pubsub"), "--pubsub-project=my-project");
    assertRefused(
        "broker pubsub: the endpoint is 'https://x', and must be host:port",
        with(relay, "--pubsub-endpoint=https://x"));
    assertRefused(
        "lease (5s) must be longer than a delivery may take (23s); a shorter one needs a shorter"
            + " pubsub-delivery-timeout",
        with(relay, "--lease=5s"));
    assertRefused("is no name of a Pub/Sub topic", with(relay, "--route=fixed:a b"));
    CapturedTerminal mistaken =
        CapturedTerminal.withEnvironment(Map.of("PUBSUB_EMULATOR_HOST", "nowhere"));
    assertThat(mistaken.run(relay)).isEqualTo(2);
    assertThat(mistaken.err()).contains("'nowhere', and must be host:port");
  }

  @Test
  void aStackTraceIsShownOnlyOnRequest() {
    String url = "--database-url=jdbc:postgresql://localhost:1/x";
    assertThat(terminal.run("status", url)).isEqualTo(1);
    assertThat(terminal.err()).hasLineCount(1).contains("cannot reach the database");
    assertThat(terminal.run("status", url, "--stacktrace")).isEqualTo(1);
    assertThat(terminal.err()).contains("\tat ");
  }
}
