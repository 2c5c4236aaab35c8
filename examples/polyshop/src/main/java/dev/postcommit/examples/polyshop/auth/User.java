package dev.postcommit.examples.polyshop.auth;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;

/** One who has registered. */
@Entity
@Table(name = "users")
class User {
  @Id private UUID id;

  @Column(name = "email")
  private String email;

  @Column(name = "full_name")
  private String fullName;

  @Column(name = "created_at")
  private Instant createdAt;

  /** For Hibernate. */
  @SuppressWarnings("NullAway.Init")
  protected User() {}

  User(UUID id, String email, String fullName, Instant createdAt) {
    this.id = id;
    this.email = email;
    this.fullName = fullName;
    this.createdAt = createdAt;
  }

  UUID id() {
    return id;
  }

  String email() {
    return email;
  }

  String fullName() {
    return fullName;
  }

  Instant createdAt() {
    return createdAt;
  }
}
