package dev.postcommit.testkit.pubsub.engine;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** The errors the services answer with. */
final class Refusals {

  private Refusals() {}

  static StatusRuntimeException invalid(String text) {
    return Status.INVALID_ARGUMENT.withDescription(text).asRuntimeException();
  }

  static StatusRuntimeException notFound(String name) {
    return Status.NOT_FOUND
        .withDescription("Resource not found (resource=" + name + ").")
        .asRuntimeException();
  }

  static StatusRuntimeException alreadyExists(String name) {
    return Status.ALREADY_EXISTS
        .withDescription("Resource already exists in the project (resource=" + name + ").")
        .asRuntimeException();
  }

  static StatusRuntimeException unsupported(String what) {
    return Status.UNIMPLEMENTED
        .withDescription(what + " is not supported by this server.")
        .asRuntimeException();
  }
}
