package dev.postcommit.writers;

import java.util.List;

/** The writer for Python, on sessions of SQLAlchemy. */
class SqlAlchemySessionWriterIT extends WriterContract {
  @Override
  List<String> command() {
    return List.of(Commands.PYTHON, "../python/test/driver.py", "session");
  }
}
