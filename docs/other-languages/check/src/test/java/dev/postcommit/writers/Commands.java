package dev.postcommit.writers;

/**
 * Where the programs of other languages are; {@code dev/check-other-languages} says so by the
 * environment.
 */
public final class Commands {
  /** Node.js: {@code NODE}, or the one on the path. */
  public static final String NODE = System.getenv().getOrDefault("NODE", "node");

  /** Python with psycopg2 and SQLAlchemy: {@code PYTHON}, or the system's own. */
  public static final String PYTHON = System.getenv().getOrDefault("PYTHON", "/usr/bin/python3");

  private Commands() {}
}
