package dev.postcommit.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The modules that are published: those of the parent that are not in a profile. */
class PublishedModulesTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @Test
  @DisplayName("each has an Automatic-Module-Name of its own, below which are all its packages")
  void moduleNames() throws Exception {
    List<SourceFile> sources = Sources.of(ROOT);
    List<String> names = new ArrayList<>();
    for (String module : publishedJars()) {
      List<String> declared = read(module, "/project/properties/module.name");
      assertThat(declared).as(module).hasSize(1);
      assertThat(sources)
          .filteredOn(source -> source.module().equals(module))
          .isNotEmpty()
          .allMatch(source -> (source.packageName() + ".").startsWith(declared.get(0) + "."));
      names.addAll(declared);
    }
    assertThat(names).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("each has a name and a description of its own, which Maven Central asks for")
  void descriptions() throws Exception {
    for (String module : publishedJars()) {
      assertThat(read(module, "/project/name")).as(module).hasSize(1);
      assertThat(read(module, "/project/description")).as(module).hasSize(1);
    }
  }

  @Test
  @DisplayName("the bill of materials manages nothing else: it has no parent and imports nothing")
  void billOfMaterialsAlone() throws Exception {
    assertThat(read("bom", "/project/parent")).isEmpty();
    assertThat(read("bom", "/project/profiles/profile/dependencyManagement")).isEmpty();
    assertThat(read("bom", "/project/dependencyManagement/dependencies/dependency"))
        .isNotEmpty()
        .allSatisfy(
            dependency ->
                assertThat(dependency.strip().split("\\s+"))
                    .hasSize(3)
                    .startsWith("dev.postcommit")
                    .endsWith("${project.version}"));
  }

  @Test
  @DisplayName("the bill of materials has all of them but the process, which nobody depends on")
  void billOfMaterials() throws Exception {
    List<String> artifacts = new ArrayList<>();
    for (String module : publishedJars()) {
      artifacts.addAll(read(module, "/project/artifactId"));
    }
    artifacts.remove("postcommit-server");
    assertThat(read("bom", "/project/dependencyManagement/dependencies/dependency/artifactId"))
        .containsExactlyInAnyOrderElementsOf(artifacts);
  }

  @Test
  @DisplayName("what the bill of materials repeats is as in the parent")
  void billOfMaterialsRepeats() throws Exception {
    List<String> repeated =
        new ArrayList<>(List.of("version", "url", "organization", "licenses", "developers", "scm"));
    for (Node property : nodes("bom", "/project/properties/*")) {
      repeated.add("properties/" + property.getNodeName());
    }
    for (String element : repeated) {
      assertThat(read("bom", "/project/" + element))
          .as(element)
          .hasSize(1)
          .isEqualTo(read("", "/project/" + element));
    }
  }

  private static List<String> publishedJars() throws Exception {
    List<String> modules = new ArrayList<>(read("", "/project/modules/module"));
    modules.remove("bom");
    assertThat(modules).contains("core", "kafka", "spring-boot-starter", "testkit", "server");
    return modules;
  }

  private static List<String> read(String module, String path) throws Exception {
    return nodes(module, path).stream().map(Node::getTextContent).toList();
  }

  private static List<Node> nodes(String module, String path) throws Exception {
    NodeList found =
        (NodeList)
            XPathFactory.newInstance()
                .newXPath()
                .evaluate(
                    path,
                    DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(ROOT.resolve(module).resolve("pom.xml").toFile()),
                    XPathConstants.NODESET);
    return IntStream.range(0, found.getLength()).mapToObj(found::item).toList();
  }
}
