package dev.postcommit.server.settings;

import dev.postcommit.RetryPolicy;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutSettings.Variable;
import dev.postcommit.settings.ConsumerSettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.Setting.Group;
import dev.postcommit.support.DurationText;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders docs/configuration.md from the settings' own definitions. */
final class ConfigurationPage {
  private static final String INTRODUCTION =
      """
      # Configuration

      Every setting of `postcommit relay` and the other commands. This page is generated from their definitions in the code:
      `mvn -pl server -am test -Dtest=ConfigurationPageTest -Dupdate.docs`. [Spring Boot applications](spring.md#settings) share
      most of them.

      ## Where settings come from

      A setting has one name in three forms: a command-line option (`--batch-size`), an environment variable
      (`POSTCOMMIT_BATCH_SIZE`) and a property in a file (`postcommit.batch-size`; dots may replace dashes, as in
      `postcommit.batch.size`).

      Options take precedence over the environment, the environment over the file, and the file over the default. `--config` or
      `POSTCOMMIT_CONFIG` names the file; otherwise, `postcommit.properties` in the working directory is read if it exists. It is
      a Java properties file in UTF-8. Empty values are treated as unset.

      Unknown names are rejected, with the closest known name. So are invalid values, and settings that are without effect
      because of others. Secrets are never printed. Other users of a machine can see its command lines, so give secrets by
      environment or file. Durations are written as `500ms`, `30s`, `5m`, `2h`, `30d` or in ISO form (`PT30S`). The server's jar
      contains Spring Boot's configuration metadata, so editors that know it complete and check the file.

      """;

  private static final String ONLY_IN_SPRING =
      """

      Only for [Spring applications](spring/consumers.md); `postcommit` itself has no consumer.
      """;

  private static final String RELAYS =
      """
      ## Several relays in one process

      `relays` lists their names, in lower-case letters, digits and `-`. Every setting outside the group "Process" can then be
      given for one relay: as property `postcommit.relay.<name>.table` or as variable `POSTCOMMIT_RELAY_<NAME>_TABLE`, where `-`
      in the name becomes `_`. If a variable fits two names, it belongs to the longer one.

      Options apply to all relays and take precedence over everything. Values for one relay, from the environment or the file,
      take precedence over values for all. Two relays on one table are rejected unless they share it by `namespace` or `tenant`;
      so are two relays with the same `kafka-transactional-id`. With several relays, commands on a table, such as `status` and
      `dead list`, need `--relay <name>`.

      ```properties
      """
          + example()
          + """
      ```

      """;

  private static final String LOGS =
      """
      ## Logs

      The log goes to standard output. Configuration errors are one line on standard error. With `log-format` `json`, every
      line is an object with `@timestamp`, `level`, `logger`, `thread`, `message`, and `stack_trace` if there is one. Lines about
      a relay also have `relay` and `table`; lines about an event have `event_id`, `event_type`, `aggregate_type`, `aggregate_id`,
      `traceId`, `correlationId` and `attempt`. Payloads are never logged.

      A dead event is logged as an error, a retry as a warning; if more than ten events of a batch are retried for the same
      reason, the rest are only counted. With `log-level` `info,dev.postcommit.event=debug`, the log shows the whole path of
      every event, by its id: claimed, given back, retrying, delivered, dead.

      """;

  private static final String LAYOUTS =
      """
      ## What a layout sets

      A layout can have its own defaults, which replace the defaults above. Your own [layout file](layouts/adopting.md#defaults-for-relays)
      can define some too.

      | layout | setting | default |
      |---|---|---|
      """;

  private static final String VARIABLES =
      """

      A layout can also name environment variables of the system that its table belongs to, which a relay with this layout reads.
      Postcommit's own names take precedence over them, wherever they are given. Other layouts ignore them.

      | layout | variable | stands for |
      |---|---|---|
      """;

  private static final String CONSUMERS =
      """

      A relay ignores other variables of such a system. Those of its consumers are for your consumer process, which passes them to
      the [consumer library](consumers.md). PackFinderz has these:

      | variable of consumers | pass it to | default |
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
      if (group == Group.CONSUMER) {
        ConsumerSettings.ALL.forEach(
            setting -> page.append(row(setting, setting.variable(), setting.property())));
        page.append(ONLY_IN_SPRING);
      } else {
        ServerSettings.ALL.stream()
            .filter(setting -> setting.group() == group)
            .forEach(setting -> page.append(row(setting)));
      }
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
    defaults.put("retry-base-delay", DurationText.show(retries.baseDelay()));
    defaults.put("retry-max-delay", DurationText.show(retries.maxDelay()));
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
    return row(
        setting,
        setting.flag() + " <" + setting.label() + ">",
        setting.variable(),
        setting.property());
  }

  private static String row(Setting<?> setting, String... names) {
    String forms =
        Stream.of(names)
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
        postcommit.database-url=jdbc:postgresql://db:5432/shop
        postcommit.database-user=relay
        postcommit.kafka.bootstrap-servers=kafka:9092
        postcommit.log-format=json

        postcommit.relay.orders.table=orders.outbox
        postcommit.relay.orders.batch-size=1000
        postcommit.relay.billing.layout=polyshop
        postcommit.relay.billing.table=billing.outbox_events
        postcommit.relay.billing.source=billing
        """;
  }
}
