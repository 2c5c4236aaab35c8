package dev.postcommit.testkit.pubsub.engine;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** Answers a call that has one answer. */
final class Answer {

  private Answer() {}

  static <T> void with(StreamObserver<T> caller, Supplier<T> answer) {
    T value;
    try {
      value = answer.get();
    } catch (StatusRuntimeException e) {
      caller.onError(e);
      return;
    }
    caller.onNext(value);
    caller.onCompleted();
  }
}
