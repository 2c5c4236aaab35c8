package dev.postcommit.consumer;

import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.lang.reflect.Type;

/** Turns the data of an event into an object. Safe for use by many threads. */
@FunctionalInterface
public interface PayloadDeserializer {

  /**
   * The data of an event as an object.
   *
   * @param type what the handler asks for, with its type arguments
   * @return an instance of {@code type}, never null
   * @throws PermanentFailureException if the data does not fit {@code type}; the event is
   *     dead-lettered
   */
  Object deserialize(ReceivedEvent<byte[]> event, Type type);
}
