package dev.postcommit.internal.admin;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.store.Pauses;
import dev.postcommit.internal.store.TopicRegistry;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import java.util.List;
import java.util.Optional;

/** What operators see and decide in the same way for tables of any layout: relays and topics. */
abstract class TableAdmin implements OutboxAdmin {
  final Database database;
  final Pauses pauses;
  private final TopicRegistry topics;

  TableAdmin(Database database) {
    this.database = database;
    this.pauses = new Pauses(database);
    this.topics = new TopicRegistry(database);
  }

  @Override
  public final boolean pause(Decision decision) {
    return pauses.pause(decision);
  }

  @Override
  public final boolean resume(Decision decision) {
    return pauses.resume(decision);
  }

  @Override
  public final Optional<Pause> paused() {
    return pauses.paused();
  }

  @Override
  public final Optional<List<RelayPresence>> relays() {
    return pauses.relays();
  }

  @Override
  public final Optional<List<TopicOutage>> topics() {
    return topics.outages();
  }

  @Override
  public final boolean giveUp(String topic, Decision decision) {
    return topics.giveUp(topic, decision);
  }
}
