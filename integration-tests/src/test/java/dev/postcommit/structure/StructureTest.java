package dev.postcommit.structure;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The packages and modules of this repository. */
class StructureTest {
  /**
   * Exceptions that stay. The explorer drives the engine step by step, so it uses what a relay
   * uses; the recording outbox refuses what the real outbox refuses; dead letters of Kafka are
   * written with the JSON library of the consumer engine. A line that is no longer needed fails the
   * test.
   */
  private static final String ALLOWED =
      """
      kafka is an adapter and uses com.fasterxml.jackson.core
      spring-boot-starter uses dev.postcommit.internal.write
      testkit uses dev.postcommit.internal.factory
      testkit uses dev.postcommit.internal.store
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
        .containsExactlyInAnyOrderElementsOf(ALLOWED.lines().toList());
  }
}
