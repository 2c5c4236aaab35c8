package dev.postcommit;

/** Reads objects from payloads. Must be safe for use by many threads. */
public interface PayloadDeserializer {

  /**
   * The object that a payload holds; never null.
   *
   * @param payload what a {@link PayloadSerializer} made of the object
   * @param type the class of the object
   * @throws InvalidPayloadException if the payload does not fit the class. To read it again would
   *     not help.
   */
  <T> T deserialize(byte[] payload, Class<T> type);
}
