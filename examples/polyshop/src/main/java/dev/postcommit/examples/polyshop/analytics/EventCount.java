package dev.postcommit.examples.polyshop.analytics;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** How many events of a type there were. */
@Entity
@Table(name = "event_counts")
class EventCount {
  @Id
  @Column(name = "event_type")
  private String eventType;

  @Column(name = "events")
  private long events;

  /** For Hibernate. */
  @SuppressWarnings("NullAway.Init")
  protected EventCount() {}

  EventCount(String eventType) {
    this.eventType = eventType;
  }

  String eventType() {
    return eventType;
  }

  long countOneMore() {
    return ++events;
  }
}
