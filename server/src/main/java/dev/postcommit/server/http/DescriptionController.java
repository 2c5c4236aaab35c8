package dev.postcommit.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the OpenAPI description. */
@RestController
final class DescriptionController {

  @GetMapping("/openapi.yaml")
  ResponseEntity<byte[]> description() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(DescriptionController.class.getResourceAsStream("openapi.yaml"))) {
      return ResponseEntity.ok().contentType(MediaType.APPLICATION_YAML).body(in.readAllBytes());
    }
  }
}
