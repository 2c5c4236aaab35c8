package dev.postcommit.writers;

import java.util.List;

/** The writer for Node.js. */
class NodeWriterIT extends WriterContract {
  @Override
  List<String> command() {
    return List.of(Commands.NODE, "../node/test/driver.js");
  }
}
