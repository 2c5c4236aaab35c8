package dev.postcommit.consumer.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postcommit.consumer.Samples;
import dev.postcommit.consumer.envelope.EnvelopeReader;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DataDecoderTest {
  record Item(String sku, int count) {}

  record Order(BigDecimal total, Instant at, List<Item> items, Map<String, Integer> stock) {}

  private final DataDecoder decoder = new DataDecoder();

  @Test
  void recordsAreDecodedAndUnknownFieldsLetThrough() {
    Order order =
        decoder.decode(
            event("{\"total\":10.00,\"at\":\"2026-03-04T05:06:07Z\",\"new\":true}"), Order.class);

    assertThat(order.total()).isEqualTo(new BigDecimal("10.00"));
    assertThat(order.at()).isEqualTo(Instant.parse("2026-03-04T05:06:07Z"));
  }

  @Test
  void bytesAndTextAreTheDataAsItCame() {
    ReceivedEvent<byte[]> event = event("\"a \u00eb\" ");

    assertThat(decoder.decode(event, byte[].class)).isSameAs(event.data());
    assertThat(decoder.decode(event, String.class)).isEqualTo("\"a \u00eb\" ");
    assertThat(decoder.decode(event("not JSON"), String.class)).isEqualTo("not JSON");
  }

  @Test
  void theMapperMayBeYourOwn() {
    DataDecoder strict =
        new DataDecoder(
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build());

    assertThatThrownBy(() -> strict.decode(event("{\"new\":1}"), Item.class))
        .isInstanceOf(PermanentFailureException.class);
  }

  @Test
  void aClassThatCannotBeDecodedIntoIsNamed() {
    assertThatThrownBy(() -> decoder.decode(event("{}"), Runnable.class))
        .isInstanceOf(PermanentFailureException.class)
        .hasMessageContaining("into java.lang.Runnable, which Jackson cannot construct");
  }

  @Test
  void whatDoesNotDecodeIsLocatedAndNotShown() {
    expectFailure(
        "{\"items\":[{},{\"count\":\"secret\"}]}", "at /items/1/count (line 1, column 23)");
    expectFailure("{\"stock\":{\"secret\":\"secret\"}}", "at /stock/*");
    expectFailure("{\"total\":secret}", "(line 1, column ");
    expectFailure("{\"total\":1} secret", "(line 1, column ");
    expectFailure("", "does not decode into");
    expectFailure("\"secret\"", "does not decode into");
    expectFailure("null", "it is null");
    expectFailure("[".repeat(5000), "does not decode into");
  }

  private void expectFailure(String data, String text) {
    assertThatThrownBy(() -> decoder.decode(event(data), Order.class))
        .isInstanceOf(PermanentFailureException.class)
        .hasMessageStartingWith(
            "data of order.placed does not decode into " + Order.class.getName())
        .hasMessageContaining(text)
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  private static ReceivedEvent<byte[]> event(String data) {
    return EnvelopeReader.raw()
        .read(Samples.message(Map.of("event_id", "1", "event_type", Samples.TYPE), data));
  }
}
