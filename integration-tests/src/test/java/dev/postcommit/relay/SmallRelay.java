package dev.postcommit.relay;

import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** A relay in a process of its own, which writes the id of each event that it delivers. */
final class SmallRelay {
  private SmallRelay() {}

  /** Arguments: JDBC url, user and the sample's name. */
  public static void main(String[] args) throws Exception {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(args[0]);
    dataSource.setUser(args[1]);
    LayoutSample sample = (LayoutSample) Samples.class.getField(args[2]).get(null);
    Publisher publisher =
        Publisher.callback(
            Duration.ofSeconds(5),
            message -> System.out.println("delivered " + ScriptedPublisher.id(message)));
    Relay relay = Relay.builder(dataSource, publisher).layout(sample.layout()).build();
    relay.start();
    Thread.currentThread().join();
  }
}
