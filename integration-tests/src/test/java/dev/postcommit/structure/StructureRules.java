package dev.postcommit.structure;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The rules for packages and modules. Each method returns one line per violation, in words that
 * stay the same until the violation is gone.
 */
final class StructureRules {
  static final int MOST_CLASSES = 25;

  /** The adapters, with the packages of the library that each of them is for. */
  static final Map<String, List<String>> ADAPTERS =
      Map.of(
          "jackson", List.of("tools.jackson"),
          "kafka", List.of("org.apache.kafka"),
          "pubsub", List.of("com.google", "io.grpc"),
          "registry", List.of("com.networknt.schema", "com.fasterxml.jackson"),
          "cloudevents", List.of("io.cloudevents"),
          "flyway", List.of("org.flywaydb"),
          "micrometer", List.of("io.micrometer"),
          "opentelemetry", List.of("io.opentelemetry"));

  /** What any module may use, besides other modules. */
  private static final List<String> COMMON =
      List.of("java", "javax", "org.jspecify.annotations", "org.slf4j");

  /** The modules that an adapter may use. */
  private static final Set<String> BELOW_ADAPTERS = Set.of("core", "consumer");

  /**
   * The public packages of core. They divide one vocabulary by topic, so that a relay has a layout,
   * a layout has an envelope and an envelope makes what the relay publishes; they count as one.
   */
  private static final Set<String> API =
      Set.of(
          "dev.postcommit",
          "dev.postcommit.envelope",
          "dev.postcommit.layout",
          "dev.postcommit.relay",
          "dev.postcommit.store",
          "dev.postcommit.support");

  private final Collection<SourceFile> sources;
  private final Map<String, Set<String>> modulesOf;

  StructureRules(Collection<SourceFile> sources) {
    this.sources = sources;
    this.modulesOf =
        sources.stream()
            .collect(
                groupingBy(
                    SourceFile::packageName,
                    TreeMap::new,
                    mapping(SourceFile::module, toCollection(TreeSet::new))));
  }

  List<String> violations() {
    return Stream.of(
            largePackages(),
            splitPackages(),
            packageCycles(),
            moduleCycles(),
            internalUses(),
            adapterUses())
        .flatMap(List::stream)
        .sorted()
        .toList();
  }

  List<String> largePackages() {
    return sources.stream()
        .collect(groupingBy(SourceFile::packageName, counting()))
        .entrySet()
        .stream()
        .filter(size -> size.getValue() > MOST_CLASSES)
        .map(size -> size.getKey() + " has more than " + MOST_CLASSES + " classes")
        .toList();
  }

  List<String> splitPackages() {
    return modulesOf.entrySet().stream()
        .filter(owners -> owners.getValue().size() > 1)
        .map(owners -> owners.getKey() + " is split across " + String.join(", ", owners.getValue()))
        .toList();
  }

  /**
   * Finds cycles between the packages of a module. The step from a public package to an internal
   * one doesn't count: the static factories of an API create what is internal.
   */
  List<String> packageCycles() {
    Graph graph = new Graph();
    for (SourceFile source : sources) {
      for (String used : source.uses()) {
        boolean create = isInternal(used) && !isInternal(source.packageName());
        if (modules(used).contains(source.module()) && !create) {
          graph.add(node(source.packageName()), node(used));
        }
      }
    }
    return graph.cycles().stream().map(cycle -> "cycle of packages " + cycle).toList();
  }

  List<String> moduleCycles() {
    Graph graph = new Graph();
    for (SourceFile source : sources) {
      for (String used : source.uses()) {
        if (!modules(used).contains(source.module())) {
          modules(used).forEach(module -> graph.add(source.module(), module));
        }
      }
    }
    return graph.cycles().stream().map(cycle -> "cycle of modules " + cycle).toList();
  }

  List<String> internalUses() {
    Set<String> violations = new TreeSet<>();
    for (SourceFile source : sources) {
      for (String used : source.uses()) {
        if (isInternal(used)
            && modulesOf.containsKey(used)
            && !modules(used).contains(source.module())) {
          violations.add(source.module() + " uses " + used);
        }
      }
    }
    return new ArrayList<>(violations);
  }

  List<String> adapterUses() {
    Set<String> violations = new TreeSet<>();
    for (SourceFile source : sources) {
      List<String> client = ADAPTERS.getOrDefault(source.module(), List.of());
      for (String used : source.uses()) {
        if (!client.isEmpty()
            && !modules(used).contains(source.module())
            && modules(used).stream().noneMatch(BELOW_ADAPTERS::contains)
            && Stream.concat(COMMON.stream(), client.stream())
                .noneMatch(allowed -> isIn(used, allowed))) {
          violations.add(source.module() + " is an adapter and uses " + used);
        }
      }
    }
    return new ArrayList<>(violations);
  }

  private Set<String> modules(String packageName) {
    return modulesOf.getOrDefault(packageName, Set.of());
  }

  private static boolean isInternal(String packageName) {
    return isIn(packageName, "dev.postcommit")
        && List.of(packageName.split("\\.", -1)).contains("internal");
  }

  private static boolean isIn(String packageName, String parent) {
    return packageName.equals(parent) || packageName.startsWith(parent + ".");
  }

  private static String node(String packageName) {
    return API.contains(packageName) ? "dev.postcommit" : packageName;
  }
}
