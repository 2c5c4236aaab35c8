package dev.postcommit.admin;

import dev.postcommit.testkit.contract.Samples;

class LargeModkitGaugesIT extends LargeGauges {
  LargeModkitGaugesIT() {
    super(Samples.MODKIT, "id, namespace, topic, payload", "gen_random_uuid(), 'n', 't', '{}'");
  }

  @Override
  Kind delivered() {
    return new Kind(", status", ", 'delivered'");
  }

  @Override
  Kind delayed() {
    return new Kind(", status, next_attempt_at", ", 'pending', now() + interval '1 h'");
  }

  @Override
  Kind dead() {
    return new Kind(", status, attempts", ", 'dead', 20");
  }

  @Override
  Kind pending() {
    return new Kind(", status", ", 'pending'");
  }
}
