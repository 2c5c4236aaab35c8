package dev.postcommit.examples.polyshop.auth;

import java.util.Optional;
import java.util.UUID;
import org.springframework.data.repository.Repository;

/** The users. */
interface UserRepository extends Repository<User, UUID> {

  User save(User user);

  Optional<User> findByEmail(String email);
}
