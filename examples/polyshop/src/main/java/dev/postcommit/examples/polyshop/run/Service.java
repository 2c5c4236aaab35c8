package dev.postcommit.examples.polyshop.run;

import dev.postcommit.examples.polyshop.analytics.AnalyticsApplication;
import dev.postcommit.examples.polyshop.auth.AuthApplication;
import dev.postcommit.examples.polyshop.inventory.InventoryApplication;
import dev.postcommit.examples.polyshop.order.OrderApplication;
import dev.postcommit.examples.polyshop.product.ProductApplication;
import dev.postcommit.examples.polyshop.search.SearchApplication;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The services of the shop. */
public enum Service {
  AUTH(true, false),
  PRODUCT(true, false),
  INVENTORY(true, true),
  ORDER(true, true),
  SEARCH(false, true),
  ANALYTICS(false, true),
  PAYMENT(true, true),
  NOTIFICATION(true, true);

  /** What a service is run by. */
  sealed interface Program {}

  /** A JVM. */
  record Java(Class<?> main) implements Program {}

  /** A program of another language, relative to the directory of the example. */
  record Command(String interpreter, String script) implements Program {}

  /** The services in Java, which need nothing but a JDK. */
  public static final List<Service> IN_JAVA =
      List.of(AUTH, PRODUCT, INVENTORY, ORDER, SEARCH, ANALYTICS);

  private final boolean emits;
  private final boolean consumes;

  Service(boolean emits, boolean consumes) {
    this.emits = emits;
    this.consumes = consumes;
  }

  /** The service of a name, with or without {@code -service}. */
  static Optional<Service> named(String name) {
    return List.of(values()).stream()
        .filter(service -> name.equals(service.database()) || name.equals(service.serviceName()))
        .findFirst();
  }

  Program program() {
    return switch (this) {
      case AUTH -> new Java(AuthApplication.class);
      case PRODUCT -> new Java(ProductApplication.class);
      case INVENTORY -> new Java(InventoryApplication.class);
      case ORDER -> new Java(OrderApplication.class);
      case SEARCH -> new Java(SearchApplication.class);
      case ANALYTICS -> new Java(AnalyticsApplication.class);
      case PAYMENT -> new Command("node", "services/payment-service/main.js");
      case NOTIFICATION -> new Command("/usr/bin/python3", "services/notification-service/main.py");
    };
  }

  /** Whether it has an outbox. */
  public boolean emits() {
    return emits;
  }

  /** Whether it has a consumer group, and a table of processed events. */
  public boolean consumes() {
    return consumes;
  }

  /** The name of its database. */
  public String database() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its name as it stands in envelopes, and the name of its consumer group. */
  public String serviceName() {
    return database() + "-service";
  }
}
