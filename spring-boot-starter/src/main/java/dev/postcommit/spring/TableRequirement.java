package dev.postcommit.spring;

import dev.postcommit.store.LayoutCheck;
import java.util.List;

/** What a part of the application requires of the outbox table besides writing events. */
@FunctionalInterface
public interface TableRequirement {

  /** What the table lacks; empty if nothing. */
  List<String> problems(LayoutCheck check);
}
