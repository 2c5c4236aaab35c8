package dev.postcommit.pubsub.consumer;

/** Why a subscription cannot be read until a person does something about it, and what. */
abstract sealed class SubscriptionProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private SubscriptionProblem(String message) {
    super(message);
  }

  /** The subscription does not exist. */
  static final class Missing extends SubscriptionProblem {
    private static final long serialVersionUID = 1L;

    Missing(String message) {
      super(message);
    }
  }

  /** The subscription does not keep the order of keys. */
  static final class Unordered extends SubscriptionProblem {
    private static final long serialVersionUID = 1L;

    Unordered(String message) {
      super(message);
    }
  }

  /** The subscription may not be looked at, or not be read. */
  static final class Forbidden extends SubscriptionProblem {
    private static final long serialVersionUID = 1L;

    Forbidden(String message) {
      super(message);
    }
  }

  /** The topic of the subscription is not known, or another than was said. */
  static final class WrongTopic extends SubscriptionProblem {
    private static final long serialVersionUID = 1L;

    WrongTopic(String message) {
      super(message);
    }
  }
}
