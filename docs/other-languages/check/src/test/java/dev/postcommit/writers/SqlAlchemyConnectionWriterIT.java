package dev.postcommit.writers;

import java.util.List;

/** The writer for Python, on connections of SQLAlchemy. */
class SqlAlchemyConnectionWriterIT extends WriterContract {
  @Override
  List<String> command() {
    return List.of(Commands.PYTHON, "../python/test/driver.py", "connection");
  }
}
