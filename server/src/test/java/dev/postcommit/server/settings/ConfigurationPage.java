package dev.postcommit.server.settings;

import dev.postcommit.server.settings.Setting.Group;
import java.util.List;
import java.util.stream.Collectors;

/** Renders docs/configuration.md from the settings' own definitions. */
final class ConfigurationPage {
  private static final String INTRODUCTION =
      """
      # Configuration

      Every setting of `postcommit relay` and the other commands, as the code defines it. This page is made from these definitions;
      `mvn -pl server -am test -Dtest=ConfigurationPageTest -Dupdate.docs` writes it anew.

      ## Where settings come from

      A setting has one name in three forms: a flag (`--batch-size`), a variable of the environment (`POSTCOMMIT_BATCH_SIZE`)
      and a property in a file (`postcommit.batch.size`; `postcommit.batch-size` is as good, but not both).

      A flag goes before the environment, the environment before the file, the file before the default. The file is the one
      that `--config` names, or else the variable `POSTCOMMIT_CONFIG`, or else `postcommit.properties` in the working directory
      if it is there. It is a file of Java properties in UTF-8. An empty variable or property is as good as none.

      A name that is not known is refused, with the closest one that is. So is a value that cannot be used, and a setting that
      another one leaves without effect. Secrets are never shown; others on a machine can see its flags, so give secrets by
      environment or file. Times are written `500ms`, `30s`, `5m`, `2h`, `30d` or in ISO as `PT30S`. Editors that know Spring
      Boot complete and check the file with the metadata in the server's jar.

      """;

  private static final String RELAYS =
      """
      ## Several relays in one process

      `relays` names them, with small letters, digits and `-`. All settings but those of the process can then be given for one
      relay: the property `postcommit.relay.<name>.table` or the variable `POSTCOMMIT_RELAY_<NAME>_TABLE`, where a `-` in the
      name is a `_` in the variable. If two names fit a variable, the longer one has it.

      A flag is for all relays and goes before everything. What is given for one relay, by environment or file, goes before what
      is given for all. Two relays on one table are refused unless they share it by `namespace` or `tenant`, and so are
      two with one `kafka-transactional-id`. Commands on a table, as `status` or `dead list`, ask for `--relay <name>` if there
      are several.

      ```properties
      """
          + example()
          + """
      ```

      """;

  private static final String LOGS =
      """
      ## Logs

      The log goes to standard output; what is wrong with the settings is one line on standard error. With `log-format` `json`
      every line is an object with `@timestamp`, `level`, `logger`, `thread`, `message`, and `stack_trace` if there is one.
      Lines about a relay also have `relay` and `table`; lines about an event have `event_id`, `event_type`, `aggregate_type`,
      `aggregate_id`, `traceId`, `correlationId` and `attempt`. No line ever has a payload.

      An event that is dead is an error, one that is retried a warning; if more than ten of a batch are retried for one reason,
      the rest are counted. With `log-level` `info,dev.postcommit.event=debug` the log has the whole path of every event, to be
      found by its id: claimed, given back, retrying, delivered, dead.

      """;

  private static final String PACKFINDERZ =
      """
      ## PackFinderz' own names

      With `layout` `packfinderz` a relay also honours these variables, and has PackFinderz' defaults. A name of Postcommit goes
      before them, wherever it is given. With other layouts they mean nothing.

      | variable | stands for | default |
      |---|---|---|
      """;

  private static final String CONSUMERS =
      """

      `PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS` is 250 to 1000; for another time set `POSTCOMMIT_POLL_INTERVAL`. Other variables of
      PackFinderz are not looked at, those of its consumers among them: these are for the process that runs a consumer, which
      hands them to the [consumer library](consumers.md).

      | variable of consumers | what to hand it to | default |
      |---|---|---|
      | `PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION` | the subscription of `PubSubEventConsumer` | none |
      | `PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL` | how long an `IdempotencyStore` keeps a mark | `720h` |
      | `PACKFINDERZ_OUTBOX_IDEMPOTENCY_TTL_HOURS` | the same in hours, if the one above is not set | `168` |
      """;

  private ConfigurationPage() {}

  static String render() {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    for (Group group : Group.values()) {
      page.append("## ").append(group.title()).append("\n\n");
      page.append("| setting | default | meaning |\n|---|---|---|\n");
      ServerSettings.ALL.stream()
          .filter(setting -> setting.group() == group)
          .forEach(setting -> page.append(row(setting)));
      page.append('\n');
    }
    page.append(RELAYS).append(LOGS).append(PACKFINDERZ);
    for (PackFinderz.Name name : PackFinderz.NAMES) {
      page.append(
          "| `%s` | `%s` | `%s` |\n"
              .formatted(name.variable(), name.setting().name(), name.usual()));
    }
    return page.append(CONSUMERS).toString();
  }

  private static String row(Setting<?> setting) {
    String forms =
        List.of(
                setting.flag() + " <" + setting.label() + ">",
                setting.variable(),
                setting.property())
            .stream()
            .map(form -> "`" + form.replace("|", "\\|") + "`")
            .collect(Collectors.joining("<br>"));
    return "| %s | %s | %s |\n"
        .formatted(
            forms,
            setting.defaultText() == null ? "" : "`" + setting.defaultText() + "`",
            setting.description().replace("|", "\\|").replace("<", "&lt;"));
  }

  /** A file that can be used as it is. */
  static String example() {
    return """
        postcommit.relays=orders,billing
        postcommit.database.url=jdbc:postgresql://db:5432/shop
        postcommit.database.user=relay
        postcommit.kafka.bootstrap.servers=kafka:9092
        postcommit.log.format=json

        postcommit.relay.orders.table=orders.outbox
        postcommit.relay.orders.batch.size=1000
        postcommit.relay.billing.layout=polyshop
        postcommit.relay.billing.table=billing.outbox_events
        postcommit.relay.billing.source=billing
        """;
  }
}
