package dev.postcommit.server.terminal;

import dev.postcommit.server.table.DeadChange.Chosen;
import dev.postcommit.server.table.DeadJson;
import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.table.TableJson;
import dev.postcommit.server.table.Texts;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.DeadReason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of commands that change events: which events, who, why, and confirmation. */
public final class ChangeOptions {
  /** The most ids that a dry run prints for people. */
  private static final int MOST_LISTED = 20;

  @Parameters(paramLabel = "<id>", arity = "0..*", description = "Ids, as 'list' shows them.")
  private List<String> ids = List.of();

  @Option(names = "--all", description = "All that 'list' would show now.")
  private boolean all;

  @Mixin private DecisionOptions decision = new DecisionOptions();

  @Option(names = "--dry-run", description = "Only show what would be changed, and why it is dead.")
  private boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description =
          "Do not ask for confirmation; required for --all or a filter if there is no terminal.")
  private boolean yes;

  @Mixin private JsonOption json = new JsonOption();

  /**
   * What is changed, in words.
   *
   * @param verb what is done, as replay
   * @param done what was done, as replayed
   * @param noun what it is done to, as dead event
   * @param kind what holds it, as table
   * @param name the name of that
   * @param place where that is
   */
  public record Words(
      String verb, String done, String noun, String kind, String name, String place) {
    public String count(long count) {
      return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }
  }

  public List<String> ids() {
    return ids;
  }

  public boolean dryRun() {
    return dryRun;
  }

  /** Requires exactly one way of saying what to change. */
  public void checkChoice(CliCommand command, boolean filtered, String noun) {
    if (all ? !ids.isEmpty() || filtered : ids.isEmpty() && !filtered) {
      throw command.wrongUsage("give ids of " + noun + "s, a filter such as --type, or --all");
    }
  }

  /** The decision to record. */
  public Decision decision(CliCommand command, boolean needsReason) {
    return decision.decision(command, needsReason && !dryRun);
  }

  /** Asks for confirmation unless ids were given; returns whether to go on. */
  public boolean confirmed(CliCommand command, Words words, long count) throws IOException {
    if (dryRun || yes || !ids.isEmpty() || count == 0) {
      return true;
    }
    Terminal terminal = command.terminal();
    if (!terminal.interactive()) {
      throw command.wrongUsage(
          (all ? "--all" : "a filter") + " needs --yes where there is no terminal to ask on");
    }
    String question = "Really " + words.verb + " " + words.count(count) + " of " + words.place;
    terminal.err().print(question + "? [y/N] ");
    terminal.err().flush();
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8));
    String answer = answers.readLine();
    if (answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
      return true;
    }
    terminal.err().println("nothing " + words.done);
    return false;
  }

  /** Reports which dead events would be changed, and why they are dead. */
  public int reportDryRun(
      CliCommand command, Words words, Chosen chosen, List<DeadReason> reasons) {
    return json.print(
        command,
        document(words, chosen.count(), chosen.ids(), 0).setAll(DeadJson.reasons(reasons)),
        wouldChange(words, chosen.count(), chosen.ids(), reasons));
  }

  /**
   * Says what came of it.
   *
   * @param count how many were chosen
   * @param ids theirs, or null if they are too many
   * @param more further fields of the JSON document
   */
  public int report(
      CliCommand command,
      Words words,
      long count,
      @Nullable Collection<String> ids,
      long changed,
      JsonObject more) {
    return json.print(
        command,
        document(words, count, ids, changed).setAll(more),
        dryRun
            ? wouldChange(words, count, ids, List.of())
            : List.of(words.count(changed) + " of " + words.place + " " + words.done));
  }

  private JsonObject document(
      Words words, long count, @Nullable Collection<String> ids, long changed) {
    return TableJson.changed(words.kind, words.name, words.done, dryRun, count, ids, changed);
  }

  private static List<String> wouldChange(
      Words words, long count, @Nullable Collection<String> ids, List<DeadReason> reasons) {
    List<String> lines = new ArrayList<>();
    if (ids != null) {
      ids.stream().limit(MOST_LISTED).map(Texts::printable).forEach(lines::add);
      int more = ids.size() - MOST_LISTED;
      if (more > 0) {
        lines.add(String.format(Locale.ROOT, "... and %,d more, which --json lists", more));
      }
    }
    for (DeadReason reason : reasons) {
      String error = Texts.cell(reason.error(), Details.LONGEST_CELL);
      lines.add(String.format(Locale.ROOT, "%,9d  %s", reason.events(), error));
    }
    lines.add("would " + words.verb + " " + words.count(count) + " of " + words.place);
    return lines;
  }
}
