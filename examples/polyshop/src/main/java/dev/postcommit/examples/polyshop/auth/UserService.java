package dev.postcommit.examples.polyshop.auth;

import dev.postcommit.examples.polyshop.common.DomainEventFactory;
import dev.postcommit.examples.polyshop.common.OutboxEventRepository;
import dev.postcommit.examples.polyshop.events.Topics;
import dev.postcommit.examples.polyshop.events.UserCreated;
import java.time.Instant;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Registers users. */
@Service
class UserService {
  private static final Logger log = LoggerFactory.getLogger(UserService.class);

  private final UserRepository users;
  private final DomainEventFactory events;
  private final OutboxEventRepository outbox;

  UserService(UserRepository users, DomainEventFactory events, OutboxEventRepository outbox) {
    this.users = users;
    this.events = events;
    this.outbox = outbox;
  }

  /** The user of an address, who is a new one the first time. */
  @Transactional
  public User register(String email, String fullName) {
    return users.findByEmail(email).orElseGet(() -> create(email, fullName));
  }

  private User create(String email, String fullName) {
    User user = users.save(new User(UUID.randomUUID(), email, fullName, Instant.now()));
    outbox.save(
        events.create(
            Topics.USER_CREATED,
            user.id(),
            new UserCreated(user.id(), user.email(), user.fullName(), user.createdAt())));
    log.info("user {} registered", user.id());
    return user;
  }
}
