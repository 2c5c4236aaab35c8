package dev.postcommit.layout;

import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Java properties that refuse a key given twice, of which one value would be lost. */
final class UniqueProperties {
  private UniqueProperties() {}

  /**
   * The keys and values in {@code text}.
   *
   * @throws IllegalArgumentException if a key is there twice, or the text is not in that format
   */
  static Map<String, String> read(String text) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    new Properties() {
      private static final long serialVersionUID = 1L;

      @Override
      public synchronized Object put(Object key, Object value) {
        if (entries.put(key.toString(), value.toString()) != null) {
          throw new IllegalArgumentException(key + " is there twice; leave one");
        }
        return value;
      }
    }.load(new StringReader(text));
    return entries;
  }
}
