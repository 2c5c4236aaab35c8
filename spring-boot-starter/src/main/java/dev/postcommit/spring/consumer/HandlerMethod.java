package dev.postcommit.spring.consumer;

import dev.postcommit.PayloadDeserializer;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.spring.consumer.HandlerScan.Marked;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event handler that can be called.
 *
 * @param marked where it was found
 * @param bean the bean, perhaps a proxy
 * @param method the method to call on {@code bean}
 * @param parameters what it takes, in order
 */
record HandlerMethod(Marked marked, Object bean, Method method, List<Parameter> parameters) {

  /** One parameter of a handler. */
  sealed interface Parameter {

    /** The event's data. */
    record Data(Class<?> type) implements Parameter {}

    /** The whole event, with its data. */
    record Whole(Class<?> dataType) implements Parameter {}

    /** What is known of the event besides its data. */
    record Context() implements Parameter {}
  }

  /** Whether the data must be read as an object, rather than taken as it was written. */
  boolean needsObjects() {
    return parameters.stream().anyMatch(parameter -> isObject(dataType(parameter)));
  }

  private static @Nullable Class<?> dataType(Parameter parameter) {
    if (parameter instanceof Parameter.Data data) {
      return data.type();
    }
    return parameter instanceof Parameter.Whole whole ? whole.dataType() : null;
  }

  private static boolean isObject(@Nullable Class<?> type) {
    return type != null && type != byte[].class && type != String.class;
  }

  /** Calls the handler; what it throws is thrown again. */
  void handle(ReceivedEvent<byte[]> event, PayloadDeserializer payloads) throws Exception {
    Object[] arguments =
        parameters.stream().map(parameter -> argument(parameter, event, payloads)).toArray();
    try {
      method.invoke(bean, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof Exception thrown ? thrown : e;
    }
  }

  private static Object argument(
      Parameter parameter, ReceivedEvent<byte[]> event, PayloadDeserializer payloads) {
    if (parameter instanceof Parameter.Data data) {
      return data(event, data.type(), payloads);
    }
    return parameter instanceof Parameter.Whole whole
        ? event.withData(data(event, whole.dataType(), payloads))
        : new EventContext(event);
  }

  private static Object data(
      ReceivedEvent<byte[]> event, Class<?> type, PayloadDeserializer payloads) {
    if (type == byte[].class) {
      return event.data();
    }
    return type == String.class
        ? new String(event.data(), StandardCharsets.UTF_8)
        : payloads.deserialize(event.data(), type);
  }
}
