package dev.postcommit.testkit.pubsub.engine;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/** Lanes with something to send, of which the first is served next. */
final class LaneQueue {

  private final Set<Lane> lanes = new LinkedHashSet<>();

  boolean isEmpty() {
    return lanes.isEmpty();
  }

  int size() {
    return lanes.size();
  }

  void add(Lane lane) {
    lanes.add(lane);
    lane.queue = this;
  }

  void remove(Lane lane) {
    lanes.remove(lane);
    lane.queue = null;
  }

  Lane poll() {
    Iterator<Lane> iterator = lanes.iterator();
    Lane lane = iterator.next();
    iterator.remove();
    lane.queue = null;
    return lane;
  }
}
