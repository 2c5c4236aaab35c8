package dev.postcommit.examples.packfinderz;

import java.io.PrintStream;
import java.sql.SQLException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/** Runs PackFinderz with servers of its own, through good days and bad ones, and checks the end. */
public final class Main {
  private Main() {}

  /** Runs it; the exit code is 0 if everything is as it must be, else 1. */
  public static void main(String[] args) {
    // Outages are made on purpose here; what libraries say of them would hide the story.
    System.setProperty("logback.configurationFile", "packfinderz-logback.xml");
    ILoggerFactory unused = LoggerFactory.getILoggerFactory();
    Logger.getLogger("").setLevel(Level.SEVERE);
    System.exit(run(System.out));
  }

  static int run(PrintStream out) {
    out.println("PackFinderz: licenses change, and whom it concerns is notified");
    try (World world = new World()) {
      out.printf(
          "Postgres, Redis and Pub/Sub are up; the outbox-publisher is process %d%n%n",
          world.publisher().pid());
      Desk desk = new Desk(world.database(), world.licenses());
      new Tour(world, desk, out).run();
      Verdict verdict = Verdict.of(world, desk.expected());
      out.println();
      if (verdict.problems().isEmpty()) {
        out.println("verified: " + verdict.summary());
        return 0;
      }
      verdict.problems().forEach(problem -> out.println("wrong: " + problem));
    } catch (SQLException | RuntimeException | AssertionError e) {
      out.println("failed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      out.println("interrupted");
    }
    return 1;
  }
}
