package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Namespaces and tenants, for layouts whose claims can be narrowed to them. */
public abstract class ScopedContract extends NamespaceContract {

  /** Ends within a test, but not while its events are taken. */
  private static final Duration BRIEF = Duration.ofMillis(300);

  /** The contract for one layout. */
  protected ScopedContract(LayoutSample sample) {
    super(sample);
  }

  /** Claims can be narrowed. */
  @Test
  @DisplayName("R20: a claim may be scoped to a namespace or a tenant")
  public void aClaimMayBeScopedToANamespaceOrATenant() {
    UUID tenant = UUID.randomUUID();
    enqueue("a", 1);
    String other = enqueue(event("b").namespace("other").json("1").build()).get(0);
    String tenants = enqueue(tenantEvent(tenant)).get(0);

    assertThat(ids(store().claim(upTo(9).scopedTo("other", null)))).containsExactly(other);
    assertThat(ids(store().claim(upTo(9).scopedTo(null, tenant)))).containsExactly(tenants);
    assertThat(store().claim(upTo(9).scopedTo("other", tenant)).isEmpty()).isTrue();
  }

  /** Scoped claims exclude each other too. */
  @Test
  @DisplayName("R16, R20: of events that a scoped claim has taken, another one is given none")
  public void scopedClaimsExcludeEachOther() {
    for (int i = 0; i < 3; i++) {
      enqueue(event("k" + i).namespace("shop").json("1").build());
    }

    Claim first = store().claim(upTo(9).scopedTo("shop", null));

    assertThat(first.events()).hasSize(3);
    assertThat(store().claim(upTo(9).scopedTo("shop", null)).isEmpty()).isTrue();
  }

  /** Limits are those of the relays that deliver an event. */
  @Test
  @DisplayName("R19, R20: a crashed event is judged by relays of its own namespace and their limit")
  public void aCrashedEventIsJudgedInItsOwnNamespace() {
    Event own = event("a").namespace("strict").json("1").build();
    Event other = event("b").namespace("patient").json("1").build();
    ClaimRequest brief = ClaimRequest.of(9, BRIEF, 1);
    assertJudgesItsOwnOnly(
        own, brief.scopedTo("strict", null), other, brief.scopedTo("patient", null));
  }

  /** The same for tenants. */
  @Test
  @DisplayName("R19, R20: a crashed event is judged by relays of its own tenant and their limit")
  public void aCrashedEventIsJudgedByItsOwnTenant() {
    UUID strict = UUID.randomUUID();
    UUID patient = UUID.randomUUID();
    ClaimRequest brief = ClaimRequest.of(9, BRIEF, 1);
    assertJudgesItsOwnOnly(
        tenantEvent(strict),
        brief.scopedTo(null, strict),
        tenantEvent(patient),
        brief.scopedTo(null, patient));
  }

  private void assertJudgesItsOwnOnly(
      Event own, ClaimRequest strict, Event other, ClaimRequest patient) {
    List<String> ids = enqueue(own, other);
    assertThat(ids(store().claim(patient))).containsExactly(ids.get(1));
    assertThat(ids(store().claim(strict))).containsExactly(ids.get(0));

    awaitJudged(ids.get(0), strict);
    assertThat(state(ids.get(1))).as("of another scope").isNotEqualTo("dead");

    Claim again = claimSoon(store(), withManyAttempts(patient));
    assertThat(ids(again)).containsExactly(ids.get(1));
    assertThat(again.events().get(0).attempt()).isEqualTo(attemptAfterCrash());
  }

  /** Waits until an event is given up that crashed in its only attempt, where that has a trace. */
  private void awaitJudged(String id, ClaimRequest request) {
    if (attemptAfterCrash() > 1) {
      OutboxStore store = store();
      awaitUntil(() -> store.claim(request).isEmpty() && state(id).equals("dead"));
    }
  }

  private static ClaimRequest withManyAttempts(ClaimRequest request) {
    return ClaimRequest.of(9, LEASE, 10).scopedTo(request.namespace(), request.tenant());
  }

  /** Relays may be narrowed while the claims of wider ones are still there. */
  @Test
  @DisplayName("R19, R20: events of a crashed relay for all namespaces are judged in each apart")
  public void whatARelayForAllLeftIsJudgedInEachNamespaceApart() {
    List<String> ids = enqueue(inNamespace("strict"), inNamespace("patient"));
    assertThat(ids(store().claim(ClaimRequest.of(9, BRIEF, 1)))).isEqualTo(ids);
    ClaimRequest strict = ClaimRequest.of(9, BRIEF, 1).scopedTo("strict", null);
    awaitJudged(ids.get(0), strict);
    assertThat(state(ids.get(1))).as("of another scope").isNotEqualTo("dead");

    if (attemptAfterCrash() > 1) {
      String next = enqueue(inNamespace("strict")).get(0);
      assertThat(ids(store().claim(withManyAttempts(strict)))).containsExactly(next);
    }
    ClaimRequest patient = withManyAttempts(strict.scopedTo("patient", null));
    Claim again = claimSoon(store(), patient);
    assertThat(ids(again)).containsExactly(ids.get(1));
    assertThat(again.events().get(0).attempt()).isEqualTo(attemptAfterCrash());
  }

  /** Events without a tenant are no tenant's, and their namespace's all the same. */
  @Test
  @DisplayName("R19, R20: events of a crashed relay for all tenants are judged by each apart")
  public void whatARelayForAllLeftIsJudgedByEachTenantApart() {
    UUID tenant = UUID.randomUUID();
    UUID strict = UUID.randomUUID();
    Event nobodys = Event.builder("happened").json("1").build();
    List<String> ids = enqueue(tenantEvent(strict), tenantEvent(tenant), nobodys);
    assertThat(ids(store().claim(ClaimRequest.of(9, BRIEF, 1)))).isEqualTo(ids);
    awaitJudged(ids.get(0), ClaimRequest.of(9, BRIEF, 1).scopedTo(null, strict));

    ClaimRequest patient = ClaimRequest.of(9, LEASE, 10);
    Claim tenants = claimSoon(store(), patient.scopedTo(null, tenant));
    assertThat(ids(tenants)).containsExactly(ids.get(1));
    OutboxStore store = store();
    List<String> rest = new ArrayList<>();
    awaitUntil(
        () -> {
          rest.addAll(ids(store.claim(patient.scopedTo(Event.DEFAULT_NAMESPACE, null))));
          return rest.contains(ids.get(2));
        });
    assertThat(rest).doesNotContain(ids.get(1));
  }

  /** Order is kept within a scope; between two there is none. */
  @Test
  @DisplayName("R20, R40: an event in flight or waiting holds back its key in its own scope only")
  public void aKeyIsHeldBackInItsOwnScopeOnly() {
    ClaimRequest billing = upTo(9).scopedTo("billing", null);
    ClaimRequest shipping = upTo(9).scopedTo("shipping", null);
    List<String> ids = enqueue(inNamespace("billing"), inNamespace("shipping"));
    OutboxStore first = store();
    OutboxStore second = store();
    Claim inFlight = first.claim(billing);
    assertThat(ids(inFlight)).containsExactly(ids.get(0));
    Claim beside = second.claim(shipping);
    assertThat(ids(beside)).as("beside one in flight").containsExactly(ids.get(1));

    first.settle(inFlight, List.of(new Outcome.Retry(ids.get(0), "not now", Duration.ofHours(1))));
    second.settle(beside, List.of(new Outcome.Retry(ids.get(1), "not yet", Duration.ofMillis(1))));
    Claim again = claimSoon(second, shipping);
    assertThat(ids(again)).as("behind one that waits").containsExactly(ids.get(1));
    second.settle(again, List.of(new Outcome.Delivered(ids.get(1))));
    String next = enqueue(inNamespace("shipping")).get(0);
    Claim last = claimSoon(second, shipping);
    assertThat(ids(last)).containsExactly(next);
    second.settle(last, List.of(new Outcome.Delivered(next)));

    enqueue(inNamespace("billing"), inNamespace("shipping"));
    assertThat(store().claim(billing).isEmpty()).as("in its own scope").isTrue();
    assertThat(store().claim(upTo(9)).isEmpty()).as("to a relay for all").isTrue();
  }

  private Event inNamespace(String namespace) {
    return event("k").namespace(namespace).json("1").build();
  }

  private static Claim claimSoon(OutboxStore store, ClaimRequest request) {
    Claim[] claim = {Claim.EMPTY};
    awaitUntil(
        () -> {
          claim[0] = store.claim(request);
          return !claim[0].isEmpty();
        });
    return claim[0];
  }
}
