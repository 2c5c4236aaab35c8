package dev.postcommit.bench.report;

import java.util.Map;

/** Writes what the run was made with, and how to read and repeat it. */
final class Conditions {
  private final Map<String, String> about;
  private final Figures figures;
  private final Report report;

  Conditions(Map<String, String> about, Figures figures, Report report) {
    this.about = about;
    this.figures = figures;
    this.report = report;
  }

  void write() {
    published();
    settings();
    comparable();
    repeat();
  }

  private void published() {
    report.heading(2, "Published by others");
    report.paragraph(
        """
        Not measured here, and not to be compared with the figures above: other machines, other loads.

        | | published |
        |---|---|
        | Tandem (`com.codingful`), whose artifacts could not be had | 1,200 to 1,450 events/s sustained; p50 13 ms and p99 87 ms \
        at 600 events/s; on a shared host of 2 vCPU, with events of 1 KB |
        """);
  }

  private void settings() {
    report.heading(2, "Machine, versions and settings");
    Table run = new Table("run", "");
    add(run, "run.");
    report.paragraph(run);
    Table machine = new Table("machine and servers", "");
    for (String prefix : new String[] {"machine.", "postgres.", "kafka."}) {
      add(machine, prefix);
    }
    report.paragraph(machine);
    Table contenders = new Table("contender", "version", "setting", "");
    figures.entrants().forEach(entrant -> add(contenders, entrant));
    report.paragraph(contenders);
  }

  private void add(Table table, String prefix) {
    Entrant.below(prefix, about)
        .forEach(
            (name, value) ->
                table.row(
                    Table.escaped(
                        (prefix.equals("run.") ? name.replace('_', ' ') : server(prefix, name))),
                    Table.escaped(value)));
  }

  private static String server(String prefix, String name) {
    return prefix.replace('.', ' ') + name.replace("setting.", "");
  }

  private static void add(Table table, Entrant entrant) {
    if (entrant.settings().isEmpty()) {
      table.row(
          Table.escaped(entrant.name()), Table.escaped(entrant.version()), "none but defaults", "");
    }
    String name = Table.escaped(entrant.name());
    String version = Table.escaped(entrant.version());
    for (Map.Entry<String, String> setting : entrant.settings().entrySet()) {
      table.row(name, version, Table.escaped(setting.getKey()), Table.escaped(setting.getValue()));
      name = "";
      version = "";
    }
  }

  private void comparable() {
    report.heading(2, "What can be compared");
    report.paragraph(
        """
        - Figures of this run with each other: medians of rounds in which all contenders took turns on one machine.
        - Ratios, not absolute figures: database, broker, consumer and contender share that machine, and another machine gives
          other figures. Two runs on one machine differ too; *least – most* shows by how much rounds did.
        - Not a contender that loses, reorders or repeats events with one that does not, as if both did the same work: the
          ledger stands beside each figure.
        - Not a network: all parts talk over the loopback, which favours those that ask the database often.
        - The settings are those each project's documentation advises for throughput and low latency. Other settings
          give other figures; all that were changed are listed above.""");
  }

  private void repeat() {
    report.heading(2, "Repeat it");
    report.paragraph(
        """
        ```
        ./postcommit bench --out docs           # everything; writes this page, its plots and its figures
        ./postcommit bench --out docs --quick   # shorter, to see that all is there; not for quoting
        ./postcommit bench --out docs --page    # measures nothing; writes page and plots anew from the figures
        ```

        The servers come as Maven artifacts and are started for the purpose; nothing needs to be installed but what a
        [build](../CONTRIBUTING.md#build) needs.""");
  }
}
