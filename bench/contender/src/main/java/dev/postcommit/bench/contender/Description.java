package dev.postcommit.bench.contender;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a contender is and how it is set.
 *
 * @param version the version of its library, as released
 * @param settings what is set otherwise than by default, and why if that is not plain
 */
public record Description(String version, Map<String, String> settings) {

  /** Keeps a copy of the settings, in their order. */
  public Description {
    settings = new LinkedHashMap<>(settings);
  }
}
