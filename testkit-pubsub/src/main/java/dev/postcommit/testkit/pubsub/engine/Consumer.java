package dev.postcommit.testkit.pubsub.engine;

import com.google.pubsub.v1.ReceivedMessage;
import io.grpc.StatusRuntimeException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Who takes messages of a backlog: a stream, or one pull. Guarded by its backlog's lock. */
abstract class Consumer {

  /** The lanes it holds that have something to send. */
  final LaneQueue lanes = new LaneQueue();

  /** What it has and has not answered for. */
  final Set<Lease> leases = new HashSet<>();

  long outstandingBytes;

  /** How long it has for each message, in seconds. */
  abstract int ackDeadlineSeconds();

  /** Whether it takes one more message now. */
  abstract boolean takesMore();

  /** Whether it takes no more messages ever. */
  abstract boolean isOver();

  /** Hands messages over. */
  abstract void send(List<ReceivedMessage> messages);

  /** Ends it because its client said so. */
  abstract void finish();

  /** Ends it with an error. */
  abstract void fail(StatusRuntimeException reason);
}
