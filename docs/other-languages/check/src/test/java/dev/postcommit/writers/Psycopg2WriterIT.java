package dev.postcommit.writers;

import java.util.List;

/** The writer for Python, on connections of psycopg2. */
class Psycopg2WriterIT extends WriterContract {
  @Override
  List<String> command() {
    return List.of(Commands.PYTHON, "../python/test/driver.py", "psycopg2");
  }
}
