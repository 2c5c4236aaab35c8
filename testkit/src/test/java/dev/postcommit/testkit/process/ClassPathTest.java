package dev.postcommit.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {

  @TempDir Path directory;

  @Test
  void directoriesAndPlainJarsStayAsTheyAre() throws IOException {
    Path jar = jar("plain.jar", null);

    assertThat(ClassPath.expand(directory + File.pathSeparator + jar))
        .containsExactly(directory.toString(), jar.toString());
  }

  @Test
  void jarsNamedInAManifestAreListedToo() throws IOException {
    Path absolute = jar("ab solute.jar", null);
    Path relative = jar("relative.jar", null);
    Path booter = jar("booter.jar", absolute.toUri() + " relative.jar missing.jar");

    assertThat(ClassPath.expand(booter.toString()))
        .containsExactly(booter.toString(), absolute.toString(), relative.toString());
  }

  @Test
  void manifestsThatNameEachOtherAreNoProblem() throws IOException {
    Path first = jar("first.jar", "second.jar");
    Path second = jar("second.jar", "first.jar");

    assertThat(ClassPath.expand(first.toString()))
        .containsExactly(first.toString(), second.toString());
  }

  @Test
  void whatIsNoJarIsPassedOver() throws IOException {
    Path file = Files.writeString(directory.resolve("no.jar"), "no jar");

    assertThat(ClassPath.expand(file.toString())).containsExactly(file.toString());
  }

  @Test
  void whatMakesAJvmStartFastIsPassedOnAndNothingElse() {
    assertThat(
            ClassPath.inherited(
                List.of("-XX:TieredStopAtLevel=1", "-Xmx1g", "-XX:+UseSerialGC", "-Dx=y")))
        .containsExactly("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
  }

  private Path jar(String name, String classPath) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (classPath != null) {
      manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
    }
    Path jar = directory.resolve(name);
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }
}
