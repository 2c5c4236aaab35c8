package dev.postcommit.testkit.pubsub;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** A server for the tests of one class, and calls to it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PubSubFixture {
  final PubSubServer server;
  final PubSubCalls calls;

  PubSubFixture(PubSubServer server) {
    this.server = server;
    this.calls = new PubSubCalls(server);
  }

  @AfterAll
  final void stop() {
    calls.close();
    server.close();
  }
}
