package dev.postcommit.examples.polyshop.run;

import dev.postcommit.examples.polyshop.audit.PlacedOrder;
import dev.postcommit.examples.polyshop.audit.PlacedOrder.Kind;
import dev.postcommit.examples.polyshop.audit.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Whether an order's trace can be followed through the logs. */
final class TraceLogs {
  private TraceLogs() {}

  static List<String> findings(Plan plan, Options options, Fleet fleet) {
    List<String> findings = new ArrayList<>();
    Stream.of(
            Service.ORDER,
            Service.INVENTORY,
            Service.ANALYTICS,
            Service.PAYMENT,
            Service.NOTIFICATION)
        .filter(options::has)
        .forEach(
            service -> {
              String log = fleet.log(service);
              for (PlacedOrder order : plan.orders(Kind.BOUGHT)) {
                if (!log.contains(order.traceId())) {
                  findings.add(
                      "the log of %s does not know trace %s"
                          .formatted(service.serviceName(), order.traceId()));
                }
              }
            });
    return findings;
  }
}
