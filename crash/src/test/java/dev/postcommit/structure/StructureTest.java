package dev.postcommit.structure;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The packages and modules of this repository. */
class StructureTest {
  /**
   * Uses of internal packages that stay. The explorer drives the engine step by step, so it uses
   * what a relay uses; the recording outbox refuses what the real outbox refuses.
   */
  private static final String ALLOWED =
      """
      spring-boot-starter uses dev.postcommit.internal.write
      testkit uses dev.postcommit.internal.factory
      testkit uses dev.postcommit.internal.store
      """;

  /** Violations to be fixed. A line that is no longer needed fails the test: remove it then. */
  private static final String TEMPORARY =
      """
      cycle of packages dev.postcommit.spring, dev.postcommit.spring.test
      dev.postcommit.consumer has more than 25 classes
      dev.postcommit.kafka has more than 25 classes
      dev.postcommit.pubsub has more than 25 classes
      dev.postcommit.spring has more than 25 classes
      kafka is an adapter and uses com.fasterxml.jackson.core
      kafka uses dev.postcommit.consumer.internal
      pubsub uses dev.postcommit.consumer.internal
      """;

  @Test
  @DisplayName("packages and modules follow the rules, apart from the known exceptions")
  void rules() throws IOException {
    List<SourceFile> sources = Sources.of(Path.of("").toAbsolutePath().getParent());

    assertThat(sources).hasSizeGreaterThan(500);
    assertThat(sources.stream().map(SourceFile::module).collect(toSet()))
        .containsAll(StructureRules.ADAPTERS.keySet())
        .contains(
            "core", "consumer", "spring-boot-starter", "server", "testkit", "bench/contender");
    assertThat(new StructureRules(sources).violations())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(ALLOWED.lines(), TEMPORARY.lines()).toList());
  }
}
