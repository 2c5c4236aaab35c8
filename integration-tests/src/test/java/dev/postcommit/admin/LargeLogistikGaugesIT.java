package dev.postcommit.admin;

import dev.postcommit.testkit.contract.Samples;

class LargeLogistikGaugesIT extends LargeGauges {
  LargeLogistikGaugesIT() {
    super(
        Samples.LOGISTIK,
        "id, aggregate_type, aggregate_id, event_type, payload",
        "gen_random_uuid(), 'order', gen_random_uuid(), 't', '{}'");
  }

  @Override
  Kind delivered() {
    return new Kind(", status, processed_at", ", 'PUBLISHED', now()");
  }

  @Override
  Kind delayed() {
    return new Kind(", next_attempt_at", ", now() + interval '1 h'");
  }

  @Override
  Kind dead() {
    return new Kind(", status, retry_count", ", 'FAILED', 5");
  }
}
