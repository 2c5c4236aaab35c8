package dev.postcommit.server.table;

import dev.postcommit.layout.Layout;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.LogStatus;
import dev.postcommit.store.OutboxAdmin.Pause;
import dev.postcommit.store.OutboxAdmin.RelayPresence;
import dev.postcommit.store.OutboxAdmin.Status;
import dev.postcommit.store.OutboxAdmin.TopicOutage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a table and its relays stood at one moment.
 *
 * @param relays empty if there is no table in which relays could show themselves
 * @param topics those that take no messages
 * @param at when, by this process's running clock
 */
public record TableStatus(
    Status status,
    Optional<Pause> pause,
    Optional<List<RelayPresence>> relays,
    List<TopicOutage> topics,
    long at) {

  /** The longest reason that is shown. */
  private static final int CELL = 100;

  private static final int SHORT_ID = 8;

  public static TableStatus of(OutboxAdmin admin) {
    return new TableStatus(
        admin.status(),
        admin.paused(),
        admin.relays(),
        admin.topics().orElse(List.of()),
        System.nanoTime());
  }

  /** The relays, or if they are not recorded, those that are delivering something. */
  long alive() {
    return relays
        .map(found -> found.stream().filter(RelayPresence::isAlive).count())
        .orElse(status.relays());
  }

  /** The events per second that all relays delivered recently, if known. */
  Optional<Double> perSecond() {
    return relays.map(
        found ->
            found.stream()
                .filter(RelayPresence::isAlive)
                .mapToDouble(RelayPresence::perSecond)
                .sum());
  }

  /** The growth of the backlog per second since {@code before}; empty if that is null. */
  private String growth(@Nullable TableStatus before) {
    if (before == null) {
      return "";
    }
    double seconds = Math.max(1, at - before.at) / 1e9;
    double growth = (status.pending() - before.status.pending()) / seconds;
    return String.format(Locale.ROOT, " (%+,.0f/s)", Math.abs(growth) < 0.5 ? 0.0 : growth);
  }

  /** Everything, one fact per line. */
  public List<String> lines(@Nullable TableStatus before) {
    List<String> lines = new ArrayList<>();
    lines.add(line("pending", number(status.pending()) + growth(before)));
    lines.add(line("in flight", number(status.inFlight())));
    lines.add(line("delayed", number(status.delayed())));
    if (log() != null) {
      lines.add(line("diverted", number(log().diverted())));
    }
    lines.add(line("dead", number(status.dead())));
    lines.add(
        line(
            "oldest",
            status.oldestPending() == null
                ? "-"
                : TimeText.age(status.oldestAge()) + " (since " + status.oldestPending() + ")"));
    lines.add(line("rate", rate()));
    pause.ifPresent(found -> lines.add(line("paused", by(found) + " (since " + found.at() + ")")));
    if (log() != null) {
      lines.add(line("leader", leader(log())));
    }
    lines.add(line("relays", number(alive())));
    relays.stream().flatMap(List::stream).forEach(relay -> lines.add("    " + text(relay)));
    topics.forEach(topic -> lines.add(line("topic", text(topic))));
    return lines;
  }

  /** The same in one line, with the relays that cannot deliver and the topics concerned. */
  public String summary(@Nullable TableStatus before) {
    StringBuilder line =
        new StringBuilder()
            .append("pending " + number(status.pending()) + growth(before))
            .append("  in flight " + number(status.inFlight()))
            .append("  delayed " + number(status.delayed()))
            .append(log() == null ? "" : "  diverted " + number(log().diverted()))
            .append("  dead " + number(status.dead()))
            .append("  oldest ")
            .append(status.oldestPending() == null ? "-" : TimeText.age(status.oldestAge()))
            .append("  rate " + rate())
            .append("  relays " + number(alive()));
    if (log() != null && log().leader() == null) {
      line.append("  leader nobody");
    }
    pause.ifPresent(found -> line.append("  paused " + by(found)));
    relays.stream()
        .flatMap(List::stream)
        .filter(relay -> isStuck(relay) || !relay.isAlive())
        .forEach(relay -> line.append("  relay " + text(relay)));
    topics.forEach(topic -> line.append("  topic " + text(topic)));
    return line.toString();
  }

  /** A running relay only has a reason because of topics, which are shown separately. */
  private static boolean isStuck(RelayPresence relay) {
    return relay.reason() != null && !relay.state().equals("running");
  }

  private String rate() {
    return perSecond().map(rate -> String.format(Locale.ROOT, "%,.0f/s", rate)).orElse("-");
  }

  private static String line(String name, String value) {
    return String.format(Locale.ROOT, "  %-10s %s", name, value);
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Who paused the table, and why. */
  public static String by(Pause pause) {
    return "by "
        + Texts.cell(pause.operator(), CELL)
        + (pause.reason() == null ? "" : ": " + Texts.cell(pause.reason(), CELL));
  }

  private @Nullable LogStatus log() {
    return status.log();
  }

  /** The relay that reads a log. */
  private String leader(LogStatus log) {
    @Nullable UUID leader = log.leader();
    if (leader == null) {
      return "nobody";
    }
    return relays.stream()
        .flatMap(List::stream)
        .filter(relay -> relay.id().equals(leader))
        .map(TableStatus::name)
        .findFirst()
        .orElse(shortened(leader));
  }

  private static String shortened(UUID id) {
    return id.toString().substring(0, SHORT_ID);
  }

  private static String name(RelayPresence relay) {
    return shortened(relay.id()) + " on " + Texts.cell(relay.host(), CELL) + "/" + relay.pid();
  }

  private static String text(RelayPresence relay) {
    String name = name(relay) + ": ";
    if (!relay.isAlive()) {
      return name + "not seen for " + TimeText.age(relay.silent());
    }
    return name
        + Texts.cell(relay.state(), CELL).replace('-', ' ')
        + " for "
        + TimeText.age(relay.lasting())
        + (relay.reason() == null ? "" : ": " + Texts.cell(relay.reason(), CELL));
  }

  private static String text(TopicOutage topic) {
    return Texts.printable(topic.topic())
        + ": takes no messages for "
        + TimeText.age(topic.lasting())
        + (topic.givenUp() == null ? "" : ", given up " + by(topic.givenUp()))
        + ": "
        + Texts.printable(topic.reason());
  }

  /** Everything, for scripts. */
  public JsonObject json(Layout layout) {
    JsonObject json =
        TableJson.names(layout)
            .set("pending", status.pending())
            .set("in_flight", status.inFlight())
            .set("delayed", status.delayed())
            .set("dead", status.dead());
    if (log() != null) {
      json.set("diverted", log().diverted()).set("leader", log().leader());
    }
    return json.set("oldest_pending", status.oldestPending())
        .set("oldest_age_seconds", status.oldestAge().toMillis() / 1000.0)
        .set("relays", alive())
        .set("delivered_per_second", perSecond().orElse(null))
        .set("paused", pause.map(TableJson::decided).orElse(null))
        .set("relay_states", relays.orElse(List.of()).stream().map(TableStatus::relay).toList())
        .set("unavailable_topics", TopicJson.all(topics));
  }

  private static JsonObject relay(RelayPresence relay) {
    return new JsonObject()
        .set("id", relay.id())
        .set("host", relay.host())
        .set("pid", relay.pid())
        .set("version", relay.version())
        .set("started_at", relay.startedAt())
        .set("alive", relay.isAlive())
        .set("silent_seconds", relay.silent().toMillis() / 1000.0)
        .set("state", relay.state())
        .set("since", relay.since())
        .set("state_seconds", relay.lasting().toMillis() / 1000.0)
        .set("reason", relay.reason())
        .set("delivered", relay.delivered())
        .set("delivered_per_second", relay.perSecond());
  }
}
