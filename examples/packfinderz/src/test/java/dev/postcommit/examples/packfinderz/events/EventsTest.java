package dev.postcommit.examples.packfinderz.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postcommit.Actor;
import dev.postcommit.DomainEvent;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.registry.EventRegistry;
import dev.postcommit.registry.RegisteredEvent;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("R45: the registry of PackFinderz")
class EventsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final UUID ID = UUID.fromString("0197a1b2-0000-7000-8000-00000000000a");
  private static final Instant TIME = Instant.parse("2026-03-04T05:06:07Z");

  private static EventRegistry file() throws URISyntaxException {
    return EventRegistry.load(
        Path.of(EventsTest.class.getResource("/packfinderz-events.json").toURI()));
  }

  private static String name(RecordComponent component) {
    JsonProperty property = component.getAccessor().getAnnotation(JsonProperty.class);
    return property == null ? component.getName() : property.value();
  }

  private static boolean isOptional(RecordComponent component) {
    return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  @Test
  void theClassesAndTheFileOfThePublisherSayTheSame() throws IOException, URISyntaxException {
    EventRegistry file = file();
    assertThat(file.payloads()).isEqualTo(Events.REGISTRY.payloads());
    assertThat(file.types()).hasSameSizeAs(Events.REGISTRY.types());
    for (int i = 0; i < file.types().size(); i++) {
      RegisteredEvent inFile = file.types().get(i);
      RegisteredEvent inCode = Events.REGISTRY.types().get(i);
      assertThat(inFile.type()).isEqualTo(inCode.type());
      assertThat(inFile.topic()).isEqualTo(inCode.topic());
      assertThat(inFile.aggregateType()).isEqualTo(inCode.aggregateType());
      RecordComponent[] components = inCode.payloadClass().getRecordComponents();
      JsonNode schema = JSON.readTree(inFile.schema());
      assertThat(names(schema.get("properties").fieldNames()))
          .as(inFile.type())
          .containsExactlyElementsOf(Arrays.stream(components).map(EventsTest::name).toList());
      assertThat(JSON.convertValue(schema.get("required"), String[].class))
          .as(inFile.type())
          .containsExactlyElementsOf(
              Arrays.stream(components).filter(c -> !isOptional(c)).map(EventsTest::name).toList());
    }
  }

  private static List<String> names(Iterator<String> names) {
    List<String> list = new ArrayList<>();
    names.forEachRemaining(list::add);
    return list;
  }

  @Test
  @DisplayName("R10, R15: every registered type is a label of the locked enums")
  void everyTypeIsALabelOfTheLockedEnums() {
    assertThat(Events.REGISTRY.types())
        .extracting(RegisteredEvent::type)
        .isSubsetOf(Layout.preset("packfinderz").required(Role.TYPE).labels());
    assertThat(Events.REGISTRY.types())
        .extracting(RegisteredEvent::aggregateType)
        .isSubsetOf(Layout.preset("packfinderz").required(Role.AGGREGATE_TYPE).labels());
  }

  @Test
  void payloadsHaveTheNamesOfTheContract() {
    assertData(
        new OrderCreated(ID, List.of(ID)), "{'checkout_group_id':'ID','vendor_order_ids':['ID']}");
    assertData(
        new OrderCanceled(ID, ID, ID, ID, TIME, "late"),
        "{'order_id':'ID','checkout_group_id':'ID','buyer_store_id':'ID','vendor_store_id':'ID',"
            + "'canceled_at':'TIME','reason':'late'}");
    assertData(
        new OrderExpired(ID, ID, ID, ID, TIME, 7),
        "{'orderId':'ID','checkoutGroupId':'ID','buyerStoreId':'ID','vendorStoreId':'ID',"
            + "'expiredAt':'TIME','ttl_days':7}");
    assertData(
        new CashCollected(ID, ID, ID, 1250, TIME),
        "{'order_id':'ID','buyer_store_id':'ID','vendor_store_id':'ID','amount_cents':1250,"
            + "'cash_collected_at':'TIME'}");
    assertData(
        new NotificationRequested(ID, ID, ID, ID, "order_alert"),
        "{'order_id':'ID','checkout_group_id':'ID','buyer_store_id':'ID','vendor_store_id':'ID',"
            + "'type':'order_alert'}");
    assertData(
        new LicenseStatusChanged(ID, ID, LicenseStatus.PENDING, null, null),
        "{'licenseId':'ID','storeId':'ID','status':'pending'}");
  }

  private static void assertData(Object payload, String expected) {
    DomainEvent event = Events.of(payload, ID, new Actor(ID, null, null));
    String json = expected.replace('\'', '"').replace("ID", ID.toString());
    assertThat(event.data()).isEqualTo(json.replace("TIME", TIME.toString()));
  }

  @Test
  void whatIsNotRegisteredIsRefused() {
    assertThatThrownBy(() -> Events.of("text", ID, new Actor(ID, null, null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("java.lang.String is the payload of no event type; register it");
  }
}
