package dev.postcommit.bench.own;

import dev.postcommit.bench.contender.Contender;
import dev.postcommit.bench.contender.Description;
import dev.postcommit.bench.contender.Environment;
import java.util.List;
import java.util.Map;

/** The limit of writing: transactions that write the business row, and no event. */
final class PlainInsert implements Contender {
  private final Environment environment;

  PlainInsert(Environment environment) {
    this.environment = environment;
  }

  @Override
  public Environment environment() {
    return environment;
  }

  @Override
  public Description description() {
    return new Description("JDBC", Map.of("events", "none"));
  }

  @Override
  public void create() {}

  @Override
  public List<String> tables() {
    return List.of();
  }

  @Override
  public void inTransaction(Body body) throws Exception {
    Transactions.run(environment.dataSource(), body, connection -> events -> {}, () -> {});
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public long dead() {
    return 0;
  }
}
