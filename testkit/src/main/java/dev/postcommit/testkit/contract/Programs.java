package dev.postcommit.testkit.contract;

import dev.postcommit.testkit.fault.SmallDisk;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** Programs that some tests need and that Maven cannot provide. */
public final class Programs {
  private Programs() {}

  /**
   * Skips the test if a program is missing, and fails it where all tests are to run ({@code
   * POSTCOMMIT_TEST_ALL=true}).
   *
   * @param missing what is missing, or empty if nothing is
   */
  public static void require(Optional<String> missing) {
    if (missing.isPresent()) {
      Assumptions.assumeTrue(
          Boolean.parseBoolean(System.getenv("POSTCOMMIT_TEST_ALL")), missing.get());
      throw new AssertionError(missing.get());
    }
  }

  /**
   * Skips the test if no {@link SmallDisk} can be mounted, and fails it where all tests are to run
   * and this is root, who can.
   */
  public static void requireSmallDisk() {
    Assumptions.assumeTrue(
        System.getProperty("user.name").equals("root"), "only root can mount a small file system");
    require(SmallDisk.missing());
  }
}
