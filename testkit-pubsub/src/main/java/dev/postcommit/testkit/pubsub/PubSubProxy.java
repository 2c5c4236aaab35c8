package dev.postcommit.testkit.pubsub;

import com.google.pubsub.v1.PublishRequest;
import io.grpc.Status;
import java.util.function.Predicate;

/**
 * Stands between clients and a Pub/Sub service, on a free port of its own, and makes things go
 * wrong: outages, silence, errors, and answers that get lost. Works before any service, also
 * Google's official emulator. Safe for use by many threads.
 *
 * <pre>{@code
 * PubSubProxy.Fault fault =
 *     proxy.fail(request -> request.getMessages(0).getOrderingKey().equals("a"), Status.INTERNAL);
 * ...
 * fault.end();
 * assertThat(fault.count()).isPositive();
 * }</pre>
 */
public interface PubSubProxy extends AutoCloseable {

  /** Starts a proxy before {@code server}, which it does not close. */
  static PubSubProxy before(PubSubServer server) {
    return new GrpcPubSubProxy(server.emulatorHost());
  }

  /** Where it listens, the same after a {@link #restart()}. Give this to clients. */
  String emulatorHost();

  /** The outage: breaks all connections at once and refuses new ones. */
  void stop();

  /** Ends an outage. Listens on the same port as before. */
  void restart();

  /** Stops all traffic: connections stay open, nothing is passed on and nothing is answered. */
  void freeze();

  /** Ends a freeze. What waited goes on, in order. */
  void thaw();

  /**
   * Answers publish calls with {@code status} and does not pass them on, until the fault ends.
   *
   * @param which the requests that fail
   */
  default Fault fail(Predicate<PublishRequest> which, Status status) {
    return fail(which, status, Integer.MAX_VALUE);
  }

  /** Answers that many publish calls with {@code status} and does not pass them on. */
  Fault fail(Predicate<PublishRequest> which, Status status, int times);

  /**
   * Answers all calls of a method that begin from now on with {@code status} and does not pass them
   * on, until the fault ends. Streams that are open already go on.
   *
   * @param method its full name, as {@code google.pubsub.v1.Publisher/GetTopic}
   */
  default Fault fail(String method, Status status) {
    return fail(method, status, Integer.MAX_VALUE);
  }

  /** Answers that many calls of a method that begin from now on with {@code status}. */
  Fault fail(String method, Status status, int times);

  /**
   * Passes publish calls on, but loses the answer: the service has the messages, and the client
   * gets {@code status}. Until the fault ends.
   *
   * @param which the requests whose answers are lost
   */
  default Fault loseAnswers(Predicate<PublishRequest> which, Status status) {
    return loseAnswers(which, status, Integer.MAX_VALUE);
  }

  /** Loses that many answers to publish calls that the service took. */
  Fault loseAnswers(Predicate<PublishRequest> which, Status status, int times);

  /** Ends the proxy: breaks its connections and gives its port back. */
  @Override
  void close();

  /** Something that goes wrong. */
  interface Fault {

    /** How often it went wrong so far. */
    int count();

    /** Lets it go well from now on. */
    void end();
  }
}
