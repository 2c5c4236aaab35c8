package dev.postcommit.structure;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each rule finds what it forbids, and nothing else, in sources made up for it. */
class StructureRulesTest {
  private static SourceFile source(String module, String packageName, String... imports) {
    String lines = Stream.of(imports).map(name -> "import " + name + ";\n").collect(joining());
    String fields =
        Stream.of(imports).map(name -> name.replaceAll(".*\\.", "") + " x;\n").collect(joining());
    return SourceFile.parse(
        module, "A.java", "package " + packageName + ";\n" + lines + "class A {" + fields + "}");
  }

  private static StructureRules rules(SourceFile... sources) {
    return new StructureRules(List.of(sources));
  }

  @Test
  @DisplayName("a package of 25 classes passes, and one of 26 does not")
  void largePackage() {
    List<SourceFile> sources =
        IntStream.range(0, 25).mapToObj(i -> source("core", "dev.postcommit.a")).collect(toList());
    assertThat(new StructureRules(sources).violations()).isEmpty();

    sources.add(source("core", "dev.postcommit.a"));

    assertThat(new StructureRules(sources).violations())
        .containsExactly("dev.postcommit.a has more than 25 classes");
  }

  @Test
  @DisplayName("a package in two modules is found")
  void splitPackage() {
    assertThat(
            rules(source("core", "dev.postcommit.a"), source("server", "dev.postcommit.a"))
                .violations())
        .containsExactly("dev.postcommit.a is split across core, server");
  }

  @Test
  @DisplayName("a cycle of packages is found, with all its members and no others")
  void packageCycle() {
    assertThat(
            rules(
                    source("server", "dev.postcommit.a", "dev.postcommit.b.A"),
                    source("server", "dev.postcommit.b", "dev.postcommit.c.A"),
                    source("server", "dev.postcommit.c", "dev.postcommit.a.A"),
                    source("server", "dev.postcommit.d", "dev.postcommit.a.A"))
                .violations())
        .containsExactly("cycle of packages dev.postcommit.a, dev.postcommit.b, dev.postcommit.c");
  }

  @Test
  @DisplayName("an API may create what is internal, but internal packages have no cycles")
  void internalCycle() {
    SourceFile api = source("core", "dev.postcommit.relay", "dev.postcommit.internal.a.A");
    SourceFile a =
        source(
            "core",
            "dev.postcommit.internal.a",
            "dev.postcommit.relay.A",
            "dev.postcommit.internal.b.A");
    assertThat(rules(api, a, source("core", "dev.postcommit.internal.b")).violations()).isEmpty();

    assertThat(
            rules(
                    api,
                    a,
                    source("core", "dev.postcommit.internal.b", "dev.postcommit.internal.a.A"))
                .violations())
        .containsExactly("cycle of packages dev.postcommit.internal.a, dev.postcommit.internal.b");
  }

  @Test
  @DisplayName("a cycle of modules is found, also where their packages form none")
  void moduleCycle() {
    assertThat(
            rules(
                    source("server", "dev.postcommit.a", "dev.postcommit.c.A"),
                    source("server", "dev.postcommit.b"),
                    source("demo", "dev.postcommit.c"),
                    source("demo", "dev.postcommit.d", "dev.postcommit.b.A"))
                .violations())
        .containsExactly("cycle of modules demo, server");
  }

  @Test
  @DisplayName("the use of another module's internal package is found")
  void internalUse() {
    SourceFile internal = source("core", "dev.postcommit.internal.jdbc");
    assertThat(
            rules(internal, source("server", "dev.postcommit.a", "dev.postcommit.internal.jdbc.A"))
                .violations())
        .containsExactly("server uses dev.postcommit.internal.jdbc");
  }

  @Test
  @DisplayName("an adapter may use core, the consumer engine and its client, but nothing else")
  void adapterUse() {
    SourceFile core = source("core", "dev.postcommit");
    SourceFile consumer = source("consumer", "dev.postcommit.consumer");
    SourceFile pubsub = source("pubsub", "dev.postcommit.pubsub");
    assertThat(
            rules(
                    core,
                    consumer,
                    pubsub,
                    source(
                        "kafka",
                        "dev.postcommit.kafka",
                        "java.util.List",
                        "org.slf4j.Logger",
                        "org.apache.kafka.clients.Client",
                        "dev.postcommit.Event",
                        "dev.postcommit.consumer.A",
                        "dev.postcommit.pubsub.A",
                        "com.google.pubsub.v1.Topic"))
                .violations())
        .containsExactly(
            "kafka is an adapter and uses com.google.pubsub.v1",
            "kafka is an adapter and uses dev.postcommit.pubsub");
  }

  @Test
  @DisplayName("code uses what it imports and calls, but not what comments and strings mention")
  void uses() {
    SourceFile source =
        SourceFile.parse(
            "core",
            "A.java",
            """
            package dev.postcommit.a;

            import static dev.postcommit.b.B.create;

            import dev.postcommit.c.C.Nested;
            import dev.postcommit.comment.Mentioned;

            /** Like {@link Mentioned} and dev.postcommit.comment.Other. */
            class A {
              Nested n = create("dev.postcommit.text.Text", dev.postcommit.d.D.VALUE, 'x');
            }
            """);
    assertThat(source.packageName()).isEqualTo("dev.postcommit.a");
    assertThat(source.uses())
        .containsExactly("dev.postcommit.b", "dev.postcommit.c", "dev.postcommit.d");
  }
}
