package dev.postcommit.server.settings;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutSettings.Variable;
import dev.postcommit.server.settings.Setting.Group;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

  private static final String LAYOUTS =
      """
      ## What a layout sets

      A layout can have defaults of its own. They come after all that is given, and before the defaults above. A
      [layout file](layouts.md#defaults-for-relays) of yours can have them, too.

      | layout | setting | default |
      |---|---|---|
      """;

  private static final String VARIABLES =
      """

      A layout can also name variables of the system that its table belongs to. A relay with this layout honours them. A name
      of Postcommit goes before them, wherever it is given. With other layouts they mean nothing.

      | layout | variable | stands for |
      |---|---|---|
      """;

  private static final String CONSUMERS =
      """

      Other variables of such a system are not looked at, those of its consumers among them: these are for the process that runs
      a consumer, which hands them to the [consumer library](consumers.md). PackFinderz has these:

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
    page.append(RELAYS).append(LOGS).append(LAYOUTS);
    Layout.presets().forEach(name -> page.append(defaults(Layout.preset(name))));
    page.append(VARIABLES);
    Layout.presets().forEach(name -> page.append(variables(Layout.preset(name))));
    return page.append(CONSUMERS).toString();
  }

  private static String defaults(Layout layout) {
    Map<String, String> defaults = new TreeMap<>(layout.settings().defaults());
    RetryPolicy retries = layout.retryPolicy();
    int attempts = retries.maxAttempts();
    defaults.put(
        "max-attempts",
        attempts == RetryPolicy.UNLIMITED ? "unlimited" : Integer.toString(attempts));
    if (layout.settings().requiresMaxAttempts()) {
      defaults.put("max-attempts", "");
    }
    defaults.put("retry-base-delay", Durations.show(retries.baseDelay()));
    defaults.put("retry-max-delay", Durations.show(retries.maxDelay()));
    return defaults.entrySet().stream()
        .map(
            entry ->
                "| `%s` | `%s` | %s |\n"
                    .formatted(
                        layout.name(),
                        entry.getKey(),
                        entry.getValue().isEmpty()
                            ? "must be given"
                            : "`" + entry.getValue() + "`"))
        .collect(Collectors.joining());
  }

  private static String variables(Layout layout) {
    return layout.settings().variables().stream()
        .map(
            variable ->
                "| `%s` | `%s` | `%s`%s%s |\n"
                    .formatted(
                        layout.name(),
                        variable.name(),
                        variable.setting(),
                        variable.form().equals(Variable.SAME)
                            ? ""
                            : " `" + variable.form().replace(Variable.SAME, "…") + "`",
                        variable.range().isEmpty()
                            ? ""
                            : ", from %d to %d".formatted(variable.range().toArray())))
        .collect(Collectors.joining());
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
