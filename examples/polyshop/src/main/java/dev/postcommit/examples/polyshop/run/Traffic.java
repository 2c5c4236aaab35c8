package dev.postcommit.examples.polyshop.run;

import dev.postcommit.examples.polyshop.audit.PlacedOrder;
import dev.postcommit.examples.polyshop.audit.PlacedOrder.Kind;
import dev.postcommit.examples.polyshop.audit.Plan;
import dev.postcommit.examples.polyshop.run.Customer.Answer;
import dev.postcommit.examples.polyshop.run.Customer.Trace;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What customers and staff do, remembered for the audit. The number of an order says what is
 * special about it, so every run has some of all.
 */
final class Traffic {
  private static final int PIECES = 1_000;
  private static final int FIRST_PRODUCTS = 4;

  private final Customer customer;
  private final List<UUID> users = new CopyOnWriteArrayList<>();
  private final List<Product> products = new CopyOnWriteArrayList<>();
  private final Map<UUID, Integer> stock = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<PlacedOrder> orders = new ConcurrentLinkedQueue<>();

  private record Product(UUID id, UUID variantId, BigDecimal price) {}

  Traffic(Customer customer) {
    this.customer = customer;
  }

  /** A user and a few products to begin with. */
  void open() throws InterruptedException {
    register(0);
    for (int number = 0; number < FIRST_PRODUCTS; number++) {
      addProduct("Product " + number);
    }
  }

  /** One visit of a customer. */
  void visit(int number) throws InterruptedException {
    if (number % 5 == 1) {
      register(number);
    }
    if (number % 10 == 5) {
      addProduct("Novelty " + number);
    }
    UUID user = users.get(number % users.size());
    boolean unknown = number % 10 == 7;
    boolean cancels = number % 10 == 3;
    Map<UUID, Integer> items = new LinkedHashMap<>();
    List<Map<String, Object>> lines = new ArrayList<>();
    for (Product product : unknown ? List.of(unknown()) : choice(number)) {
      int quantity = 1 + number % 3;
      items.put(product.id(), quantity);
      lines.add(
          Map.of(
              "productId", product.id(),
              "variantId", product.variantId(),
              "quantity", quantity,
              "unitPrice", product.price()));
    }
    Trace trace = Trace.begin(user.toString());
    UUID orderId =
        customer
            .send(
                Service.ORDER,
                "POST",
                "/orders",
                trace,
                Map.of("userId", user, "items", lines, "currency", "EUR"))
            .id("orderId");
    Kind kind = unknown ? Kind.UNKNOWN_PRODUCT : Kind.BOUGHT;
    if (cancels && cancelled(orderId, trace)) {
      kind = Kind.CANCELLED;
    }
    orders.add(
        new PlacedOrder(
            orderId,
            kind,
            items,
            trace.traceId().toString(),
            trace.correlationId().toString(),
            trace.idempotencyKey()));
  }

  /** Whether a cancellation was accepted; it is not if the payment was quicker. */
  private boolean cancelled(UUID orderId, Trace trace) throws InterruptedException {
    Answer answer =
        customer.send(Service.ORDER, "POST", "/orders/" + orderId + "/cancel", trace, Map.of());
    return answer.status() == 200;
  }

  private List<Product> choice(int number) {
    Product first = products.get(number % products.size());
    Product second = products.get((number + 1) % products.size());
    return number % 4 == 0 ? List.of(first, second) : List.of(first);
  }

  private static Product unknown() {
    return new Product(UUID.randomUUID(), UUID.randomUUID(), BigDecimal.ONE);
  }

  private void register(int number) throws InterruptedException {
    Answer answer =
        customer.send(
            Service.AUTH,
            "POST",
            "/users",
            Trace.begin("gateway"),
            Map.of("email", "user" + number + "@example.org", "fullName", "User " + number));
    users.add(answer.id("userId"));
  }

  private void addProduct(String name) throws InterruptedException {
    BigDecimal price = BigDecimal.valueOf(ThreadLocalRandom.current().nextInt(100, 10_000), 2);
    Answer added =
        customer.send(
            Service.PRODUCT,
            "POST",
            "/products",
            Trace.begin("staff"),
            Map.of("name", name, "price", price, "categoryId", UUID.randomUUID()));
    UUID id = added.id("productId");
    customer.send(
        Service.INVENTORY,
        "PUT",
        "/stock/" + id,
        Trace.begin("staff"),
        Map.of("available", PIECES));
    stock.put(id, PIECES);
    products.add(new Product(id, UUID.randomUUID(), price));
  }

  /** How many orders are placed. */
  int placed() {
    return orders.size();
  }

  /** What was done. */
  Plan plan(Options options) {
    return new Plan(
        List.copyOf(orders),
        stock,
        users.size(),
        options.has(Service.PAYMENT),
        options.has(Service.NOTIFICATION));
  }
}
