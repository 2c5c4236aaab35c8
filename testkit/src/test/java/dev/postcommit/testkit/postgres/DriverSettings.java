package dev.postcommit.testkit.postgres;

import java.util.List;

/** Settings of the driver that change how it sends statements. */
public final class DriverSettings {
  /** Each as it stands in the URL. */
  public static final List<String> ALL =
      List.of(
          "stringtype=unspecified",
          "preferQueryMode=simple",
          "preferQueryMode=extendedForPrepared",
          "preferQueryMode=extendedCacheEverything",
          "prepareThreshold=0",
          "prepareThreshold=1",
          "binaryTransfer=false",
          "reWriteBatchedInserts=true",
          "autosave=always");

  private DriverSettings() {}
}
