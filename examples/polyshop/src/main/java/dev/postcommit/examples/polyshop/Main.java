package dev.postcommit.examples.polyshop;

import dev.postcommit.examples.polyshop.run.Options;
import dev.postcommit.examples.polyshop.run.Shop;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.sql.SQLException;

/** {@code ./postcommit example polyshop}: runs the shop and checks what came of it. */
public final class Main {
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private Main() {}

  /** Exit codes: 0 verified, 1 failed, 2 wrong usage. */
  public static void main(String[] args) {
    System.exit(run(System.out, args));
  }

  static int run(PrintStream out, String... args) {
    if (args.length == 1 && args[0].equals("--help")) {
      out.println(Options.USAGE);
      return 0;
    }
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException e) {
      out.println("polyshop: " + e.getMessage());
      out.println(Options.USAGE);
      return WRONG_USAGE;
    }
    try {
      return new Shop(options, out, directory()).run() ? 0 : FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      out.println("interrupted");
    } catch (SQLException | RuntimeException e) {
      out.println("FAILED: " + e.getMessage());
    }
    return FAILED;
  }

  /** The directory of the example; what runs is in {@code target/classes} of it. */
  private static Path directory() {
    try {
      Path classes =
          Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return classes.resolve("../..").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
