package dev.postcommit.examples.polyshop.run;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What a run is to be like.
 *
 * @param orders how many orders are placed
 * @param services which services there are
 * @param victims which of them are killed, one after the other
 */
public record Options(int orders, List<Service> services, List<Service> victims) {

  /** How to call it. */
  public static final String USAGE =
      """
      usage: examples/polyshop/run [--orders <n>] [--kill <service>|each]
             ./postcommit example polyshop [the same] [--payment node|off] [--notification python|off]

        --orders <n>                 how many orders are placed; default 50
        --kill <service>             end a service with SIGKILL in the middle of the traffic, and start it again:
                                     auth, product, inventory, order, search, analytics, payment, notification
        --kill each                  do so with every service, one after the other
        --payment node|off           whether payment-service runs; needs Node.js and its packages; default off
        --notification python|off    whether notification-service runs; needs Python and its packages; default off

      'run' installs the packages that payment-service and notification-service need, and switches them on.""";

  private static final int MOST_ORDERS = 100_000;

  /** Keeps copies of the lists. */
  public Options {
    services = List.copyOf(services);
    victims = List.copyOf(victims);
  }

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static Options parse(String... args) {
    int orders = 50;
    String kill = "";
    List<Service> services = new ArrayList<>(Service.IN_JAVA);
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--orders" -> orders = number(option, value(option, rest));
        case "--kill" -> kill = value(option, rest);
        case "--payment" -> toggle(option, value(option, rest), "node", Service.PAYMENT, services);
        case "--notification" ->
            toggle(option, value(option, rest), "python", Service.NOTIFICATION, services);
        default -> throw new IllegalArgumentException("unknown option '" + option + "'");
      }
    }
    return new Options(orders, services, victims(kill, services));
  }

  boolean has(Service service) {
    return services.contains(service);
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }

  private static int number(String option, String text) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= MOST_ORDERS) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "%s: '%s' is not a number from 1 to %d".formatted(option, text, MOST_ORDERS));
  }

  private static void toggle(
      String option, String value, String on, Service service, List<Service> services) {
    services.remove(service);
    if (value.equals(on)) {
      services.add(service);
    } else if (!value.equals("off")) {
      throw new IllegalArgumentException(
          "%s: '%s' is neither %s nor off".formatted(option, value, on));
    }
  }

  private static List<Service> victims(String kill, List<Service> services) {
    if (kill.isEmpty()) {
      return List.of();
    }
    if (kill.equals("each")) {
      return services;
    }
    Service victim =
        Service.named(kill)
            .orElseThrow(
                () -> new IllegalArgumentException("--kill: there is no service '" + kill + "'"));
    if (!services.contains(victim)) {
      throw new IllegalArgumentException(
          "--kill: %s does not run; switch it on by --%s"
              .formatted(victim.serviceName(), victim.database()));
    }
    return List.of(victim);
  }
}
