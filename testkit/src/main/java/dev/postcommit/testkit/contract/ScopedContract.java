package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Namespaces and tenants, for layouts whose claims can be narrowed to them. */
public abstract class ScopedContract extends NamespaceContract {

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
}
