package dev.postcommit.admin;

import dev.postcommit.testkit.contract.Samples;

class LargeNativeGaugesIT extends LargeGauges {
  LargeNativeGaugesIT() {
    super(
        Samples.NATIVE,
        "id, topic, type, key, payload",
        "gen_random_uuid(), 't', 't', (n % 1000)::text, '\\x7b7d'");
  }

  @Override
  Kind delivered() {
    return new Kind(", status, delivered_at", ", 'delivered', now()");
  }

  @Override
  Kind delayed() {
    return new Kind(", due_at", ", now() + interval '1 h'");
  }

  @Override
  Kind dead() {
    return new Kind(", status, attempts", ", 'dead', 20");
  }
}
