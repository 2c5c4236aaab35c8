package dev.postcommit.server.cli;

import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.server.terminal.ExitCode;
import picocli.CommandLine.Command;

/** {@code postcommit} without a command. */
@Command(
    name = "postcommit",
    customSynopsis = "postcommit <command> [<options>]",
    description =
        "A transactional outbox: events written with your rows in one Postgres transaction are"
            + " delivered to Kafka or Google Pub/Sub after the commit, in order per key, at least once.",
    footerHeading = "%nFirst steps:%n",
    footer = {
      "  export POSTCOMMIT_DATABASE_URL=jdbc:postgresql://localhost:5432/app",
      "  export POSTCOMMIT_DATABASE_USER=app POSTCOMMIT_DATABASE_PASSWORD_FILE=/run/secrets/app",
      "  postcommit migrate         create the outbox table",
      "  postcommit relay --kafka-bootstrap-servers localhost:9092",
      "                             or --broker pubsub --pubsub-project my-project",
      "  postcommit status          show the backlog and the relays",
      "",
      "Settings come from options, the environment or a file; 'postcommit relay --help' lists them.",
      "Exit codes: 0 done, 1 the operation failed, 2 wrong usage or settings."
    })
final class RootCommand extends CliCommand {

  @Override
  public Integer call() {
    spec().commandLine().usage(terminal().err());
    return ExitCode.USAGE;
  }
}
