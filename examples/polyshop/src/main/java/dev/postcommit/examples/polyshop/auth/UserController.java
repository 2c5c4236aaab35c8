package dev.postcommit.examples.polyshop.auth;

import java.util.Objects;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /users}. */
@RestController
class UserController {
  private final UserService users;

  UserController(UserService users) {
    this.users = users;
  }

  record Registration(String email, String fullName) {

    /** Refuses what is missing. */
    Registration {
      Objects.requireNonNull(email, "email");
      Objects.requireNonNull(fullName, "fullName");
    }
  }

  record Registered(UUID userId) {}

  @PostMapping("/users")
  @ResponseStatus(HttpStatus.CREATED)
  Registered register(@RequestBody Registration registration) {
    return new Registered(users.register(registration.email(), registration.fullName()).id());
  }
}
