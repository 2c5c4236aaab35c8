package dev.postcommit.examples.polyshop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OptionsTest {

  @Test
  void withoutOptionsTheShopIsInJavaAndNobodyIsKilled() {
    assertThat(Options.parse()).isEqualTo(new Options(50, Service.IN_JAVA, java.util.List.of()));
  }

  @Test
  void theServicesOfOtherLanguagesAreSwitchedOn() {
    Options options =
        Options.parse("--payment", "node", "--notification", "python", "--orders", "7");

    assertThat(options.orders()).isEqualTo(7);
    assertThat(options.services()).containsExactlyInAnyOrder(Service.values());
    assertThat(Options.parse("--payment", "node", "--payment", "off").services())
        .containsExactlyElementsOf(Service.IN_JAVA);
  }

  @Test
  void oneServiceOrEachIsKilled() {
    assertThat(Options.parse("--kill", "order").victims()).containsExactly(Service.ORDER);
    assertThat(Options.parse("--kill", "order-service").victims()).containsExactly(Service.ORDER);
    assertThat(Options.parse("--kill", "each", "--payment", "node").victims())
        .hasSize(7)
        .contains(Service.PAYMENT)
        .doesNotContain(Service.NOTIFICATION);
  }

  @Test
  void whatIsWrongIsSaid() {
    refused("unknown option '--order'", "--order", "5");
    refused("--orders needs a value", "--orders");
    refused("--orders: 'many' is not a number from 1", "--orders", "many");
    refused("--orders: '0' is not a number from 1", "--orders", "0");
    refused("--payment: 'python' is neither node nor off", "--payment", "python");
    refused("there is no service 'gateway'", "--kill", "gateway");
    refused("payment-service does not run; switch it on by --payment", "--kill", "payment");
  }

  private static void refused(String message, String... args) {
    assertThatThrownBy(() -> Options.parse(args))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
