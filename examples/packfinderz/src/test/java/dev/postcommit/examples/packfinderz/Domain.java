package dev.postcommit.examples.packfinderz;

import dev.postcommit.examples.packfinderz.events.LicenseStatusChanged;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** The code of the domain, which the publisher is to do without. */
final class Domain {
  static final String PAYLOAD = LicenseStatusChanged.class.getName();

  /** A registry that only those can read who have the domain's classes. */
  static final String REGISTRY_OF_CLASSES =
      """
      {"payloads": "stored-envelope", "events": [{"type": "license_status_changed",
        "topic": "pf-domain-events", "aggregateType": "license", "payloadClass": "%s"}]}"""
          .formatted(PAYLOAD);

  private Domain() {}

  /** The libraries within a jar of Spring Boot's form. */
  static List<String> librariesOf(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.startsWith("BOOT-INF/lib/") && name.endsWith(".jar"))
          .map(name -> name.substring("BOOT-INF/lib/".length()))
          .toList();
    }
  }
}
