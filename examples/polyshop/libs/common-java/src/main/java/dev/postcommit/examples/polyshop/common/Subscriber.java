package dev.postcommit.examples.polyshop.common;

/** A part of a service that handles events of others. */
@FunctionalInterface
public interface Subscriber {

  /** Says which events it handles, and how. */
  void subscribe(Subscriptions subscriptions);
}
