package dev.postcommit.examples.polyshop.common;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.core.env.Environment;

/** A service as a process: it says on its standard output when it is ready, and where. */
public final class ServiceProcess {
  private ServiceProcess() {}

  /** Runs a service that answers requests. */
  public static void runWithHttp(Class<?> application, String... args) {
    Environment environment = run(application, WebApplicationType.SERVLET, args);
    ready(environment, " on port " + environment.getRequiredProperty("local.server.port"));
  }

  /** Runs a service that only handles events. */
  public static void run(Class<?> application, String... args) {
    ready(run(application, WebApplicationType.NONE, args), "");
  }

  private static Environment run(Class<?> application, WebApplicationType type, String... args) {
    return new SpringApplicationBuilder(application).web(type).run(args).getEnvironment();
  }

  private static void ready(Environment environment, String where) {
    System.out.println(
        environment.getRequiredProperty("spring.application.name") + " ready" + where);
  }
}
