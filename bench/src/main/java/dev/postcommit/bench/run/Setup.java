package dev.postcommit.bench.run;

import dev.postcommit.bench.contender.Business;
import dev.postcommit.bench.contender.Tables;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Field;
import dev.postcommit.bench.measure.Progress;
import dev.postcommit.bench.measure.Servers;
import dev.postcommit.bench.measure.Sizes;
import dev.postcommit.bench.scenario.Scenario;
import dev.postcommit.bench.scenario.Scenarios;
import dev.postcommit.bench.scenario.WarmUp;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** Running servers with contenders that are warmed up, and the scenarios to play with them. */
final class Setup implements AutoCloseable {
  private final Servers servers;
  private final Field field;
  private final List<Scenario> scenarios;

  private Setup(Servers servers, Field field, List<Scenario> scenarios) {
    this.servers = servers;
    this.field = field;
    this.scenarios = scenarios;
  }

  /** Starts servers and contenders. A contender that cannot be started does not take part. */
  static Setup start(
      Supplier<Servers> start, Path home, List<Entrant> entrants, Sizes sizes, Progress progress)
      throws Exception {
    Servers servers = start.get();
    try {
      Tables.execute(servers.dataSource(), Business.TABLE);
      Field field = Field.start(servers, home, entrants, progress);
      try {
        Bench bench = new Bench(servers, sizes);
        new WarmUp(bench, progress).run(field.contenders());
        return new Setup(servers, field, Scenarios.all(bench, field, progress));
      } catch (Exception | Error e) {
        field.close();
        throw e;
      }
    } catch (Exception | Error e) {
      servers.close();
      throw e;
    }
  }

  Servers servers() {
    return servers;
  }

  Field field() {
    return field;
  }

  Scenario scenario(String id) {
    return scenarios.stream()
        .filter(scenario -> scenario.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such scenario: " + id));
  }

  @Override
  public void close() {
    try {
      field.close();
    } finally {
      servers.close();
    }
  }
}
