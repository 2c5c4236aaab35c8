package dev.postcommit.admin;

import dev.postcommit.testkit.contract.Samples;

class LargePackFinderzGaugesIT extends LargeGauges {
  LargePackFinderzGaugesIT() {
    super(
        Samples.PACKFINDERZ,
        "id, event_type, aggregate_type, aggregate_id, payload_json",
        "gen_random_uuid(), 'order_created', 'vendor_order', gen_random_uuid(), '{}'");
  }

  @Override
  Kind delivered() {
    return new Kind(", published_at", ", now()");
  }

  @Override
  Kind delayed() {
    return new Kind(", attempt_count", ", 1", "now() + interval '1 h', NULL");
  }

  @Override
  Kind dead() {
    return new Kind(", attempt_count", ", 25", "NULL, now()");
  }
}
