package dev.postcommit;

/**
 * Turns objects into payloads when their events are enqueued.
 *
 * <pre>{@code
 * Outbox.builder(layout).payloadSerializer(JacksonPayloads.create()).build() // postcommit-jackson
 * }</pre>
 *
 * <p>Must be safe for use by many threads.
 */
@FunctionalInterface
public interface PayloadSerializer {

  /**
   * The payload that holds {@code object}: {@link Payload#json} or {@link Payload#binary}.
   *
   * @throws InvalidPayloadException if there is none. The caller of {@code enqueue} sees its
   *     message; of any other exception only the class and the place where it was thrown, since
   *     messages may show content.
   */
  Payload serialize(Object object);
}
