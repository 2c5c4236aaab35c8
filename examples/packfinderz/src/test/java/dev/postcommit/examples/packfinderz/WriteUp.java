package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.RetryPolicy;
import java.io.IOException;

/** The page {@code docs/outbox.md}. */
final class WriteUp {
  private WriteUp() {}

  /** The page has each of these, however it is broken into lines. */
  static void says(String... sentences) throws IOException {
    assertThat(Repository.read("docs/outbox.md").replaceAll("\\s+", " ")).contains(sentences);
  }

  /** How often and how soon failed events are tried again, in the words of the page. */
  static String retries() {
    RetryPolicy retries = Tables.OUTBOX.retryPolicy();
    return "packfinderz %d, %d ms to %d s"
        .formatted(
            retries.maxAttempts(), retries.baseDelay().toMillis(), retries.maxDelay().toSeconds());
  }

  /** The key of a mark, in the words of the page. */
  static String key() {
    return "`" + Marks.key("<event id>").replace("license-notifications", "<consumer>") + "`";
  }
}
