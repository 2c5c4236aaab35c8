package dev.postcommit.spring;

import dev.postcommit.store.LayoutCheck;
import java.util.List;

/** What a part of the application needs of the outbox table, besides that events can be written. */
@FunctionalInterface
public interface TableRequirement {

  /** What the table lacks; empty if nothing. */
  List<String> problems(LayoutCheck check);
}
