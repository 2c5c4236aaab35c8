package dev.postcommit.demo.sandbox;

import dev.postcommit.layout.Layout;
import dev.postcommit.server.settings.DatabaseSettings;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.postgresql.Driver;

/** The output of the sandbox: addresses of its servers, and commands to paste. */
final class SandboxText {
  private final Map<String, String> environment;
  private final Layout layout;
  private final String url;
  private final String user;

  /**
   * A text about the servers that {@code environment} leads to.
   *
   * @param environment variables, with those of the database if it is of the sandbox
   * @param layout the table
   */
  SandboxText(Map<String, String> environment, Layout layout) {
    this.environment = environment;
    this.layout = layout;
    this.url = environment.getOrDefault(DatabaseSettings.DATABASE_URL.variable(), "");
    this.user = environment.getOrDefault(DatabaseSettings.DATABASE_USER.variable(), "");
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("sandbox: ready; all of it is gone when this process ends");
    environment.forEach((name, value) -> lines.add("  " + name + "=" + value));
    if (!url.isEmpty()) {
      lines.add("the table is " + layout.table() + ", the password is empty");
      if (canInsert()) {
        lines.add("write an event, with psql or with the JDK alone:");
        lines.add("  " + psql());
        lines.add("  " + jshell());
      }
      lines.add("see how it stands:");
    } else {
      lines.add("see how it stands, with the settings of your database:");
    }
    lines.add("  " + variables() + " ./postcommit status" + layoutFlag());
    return lines;
  }

  /** What says that the table is not a native one, as far as a name can. */
  private String layoutFlag() {
    return layout.isPreset() && !isNative() ? " --layout " + layout.name() : "";
  }

  private boolean isNative() {
    return layout.claims().isPresent();
  }

  /** Whether {@link #insert()} is right, and no shell finds anything in it to change. */
  private boolean canInsert() {
    return (isNative() || layout.diverted().isPresent())
        && layout.table().toString().matches("[a-z0-9_.]+");
  }

  /** No double quotes in it, so that it can stand between them. */
  private String insert() {
    return "INSERT INTO %s (id, topic, type, key, payload) VALUES (gen_random_uuid(), '%s', 'order.placed', '42', json_build_object('total', 100)::text::bytea)"
        .formatted(layout.table(), SandboxServers.TOPIC);
  }

  private String psql() {
    return "psql %s -U %s -c \"%s\"".formatted(url.replaceFirst("^jdbc:", ""), user, insert());
  }

  private String jshell() {
    return "echo \"java.sql.DriverManager.getConnection(\\\"%s\\\", \\\"%s\\\", \\\"\\\").createStatement().execute(\\\"%s\\\")\" | jshell --class-path '%s' -"
        .formatted(url, user, insert(), driver());
  }

  /** The jar of the driver. */
  private static Path driver() {
    CodeSource source = Driver.class.getProtectionDomain().getCodeSource();
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no path: " + source.getLocation(), e);
    }
  }

  private String variables() {
    return environment.entrySet().stream()
        .map(variable -> variable.getKey() + "=" + variable.getValue())
        .collect(Collectors.joining(" "));
  }
}
