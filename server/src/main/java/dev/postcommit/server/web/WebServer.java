package dev.postcommit.server.web;

import dev.postcommit.server.Relays;
import dev.postcommit.server.settings.ProcessSettings;
import dev.postcommit.server.settings.Setting;
import dev.postcommit.server.settings.SettingException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Serves health and metrics of the relays, and answers operators' requests if it is to. */
public final class WebServer implements AutoCloseable {
  private final ConfigurableApplicationContext context;

  private WebServer(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** Starts serving. */
  public static WebServer start(
      WebSettings settings, Relays relays, PrometheusMeterRegistry metrics) {
    SpringApplication application = new SpringApplication(WebConfiguration.class);
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
        });
    application.setDefaultProperties(Map.of("spring.main.lazy-initialization", "true"));
    try {
      return new WebServer(application.run());
    } catch (RuntimeException e) {
      throw refused(e, settings);
    }
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
