package dev.postcommit.settings;

import java.util.List;
import java.util.stream.Stream;

/** All settings that the server and the Spring Boot starter share. */
public final class SharedSettings {

  /** Their definitions, in the order of the documentation. */
  public static final List<Setting<?>> ALL =
      Stream.of(TableSettings.ALL, MessageSettings.ALL, BrokerSettings.ALL, RelaySettings.ALL)
          .<Setting<?>>flatMap(List::stream)
          .toList();

  private SharedSettings() {}
}
