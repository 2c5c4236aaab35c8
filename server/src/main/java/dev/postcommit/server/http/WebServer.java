package dev.postcommit.server.http;

import dev.postcommit.server.relay.Relays;
import dev.postcommit.server.settings.ProcessSettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Serves health, metrics and, if configured, the admin API. */
public final class WebServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WebServer.class);

  private final ConfigurableApplicationContext context;

  private WebServer(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** Starts serving. */
  public static WebServer start(
      WebSettings settings, Relays relays, PrometheusMeterRegistry metrics) {
    SpringApplication application = new SpringApplication(WebConfiguration.class);
    if (settings.hasAdmin()) {
      application.addPrimarySources(List.of(AdminConfiguration.class));
    }
    application.setWebApplicationType(WebApplicationType.SERVLET);
    application.setBannerMode(Banner.Mode.OFF);
    application.setLogStartupInfo(false);
    application.setRegisterShutdownHook(false);
    application.addInitializers(
        context -> {
          context
              .getEnvironment()
              .getPropertySources()
              .addFirst(new MapPropertySource("postcommit", settings.properties()));
          context.getBeanFactory().registerSingleton("relays", relays);
          context.getBeanFactory().registerSingleton("metrics", metrics);
          context.getBeanFactory().registerSingleton("webSettings", settings);
        });
    application.setDefaultProperties(Map.of("spring.main.lazy-initialization", "true"));
    try {
      WebServer server = new WebServer(application.run());
      log.info("serving {}", server.addresses(settings));
      return server;
    } catch (RuntimeException e) {
      throw refused(e, settings);
    }
  }

  /** The address; with port 0, this is the only way to learn it. */
  private String addresses(WebSettings settings) {
    String health = settings.hasAdmin() ? "local.management.port" : "local.server.port";
    List<String> addresses = new ArrayList<>();
    if (settings.port() != ProcessSettings.OFF) {
      addresses.add("health at " + url(settings.address(), health) + "/readyz");
    }
    if (settings.hasAdmin()) {
      String admin = url(settings.adminAddress(), "local.server.port");
      addresses.add("operators at " + admin + AdminConfiguration.ROOT);
    }
    return String.join(", ", addresses);
  }

  private String url(String address, String port) {
    return "http://%s:%s"
        .formatted(
            address.contains(":") ? "[" + address + "]" : address,
            context.getEnvironment().getRequiredProperty(port));
  }

  private static RuntimeException refused(RuntimeException e, WebSettings settings) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof PortInUseException taken) {
        Setting<?> setting =
            taken.getPort() == settings.port()
                ? ProcessSettings.HTTP_PORT
                : ProcessSettings.ADMIN_PORT;
        return new SettingException(
            "%s: port %d is taken by another process; choose another, 0 for any free one, or off"
                .formatted(setting.name(), taken.getPort()));
      }
    }
    return e;
  }

  @Override
  public void close() {
    context.close();
  }
}
