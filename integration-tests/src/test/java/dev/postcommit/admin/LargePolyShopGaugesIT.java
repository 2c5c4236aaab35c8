package dev.postcommit.admin;

import dev.postcommit.testkit.contract.Samples;

class LargePolyShopGaugesIT extends LargeGauges {
  LargePolyShopGaugesIT() {
    super(
        Samples.POLYSHOP,
        "id, aggregate_id, event_type, payload",
        "gen_random_uuid(), (n % 1000)::text, 't', '{}'");
  }

  @Override
  Kind delivered() {
    return new Kind(", processed, processed_at", ", true, now()");
  }

  @Override
  Kind delayed() {
    return new Kind("", "", "now() + interval '1 h', NULL");
  }

  @Override
  Kind dead() {
    return new Kind("", "", "NULL, now()");
  }
}
