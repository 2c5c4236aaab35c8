package dev.postcommit.bench.contender;

import com.zaxxer.hikari.HikariDataSource;

/**
 * Where a contender runs.
 *
 * @param dataSource a pool of connections for writers and relay
 * @param jdbcUrl the address of the database, for those who connect themselves
 * @param username the user of the database, who needs no password
 * @param bootstrapServers the address of Kafka
 * @param topic where its messages go
 * @param variant which of the contenders of one library it is, or empty
 */
public record Environment(
    HikariDataSource dataSource,
    String jdbcUrl,
    String username,
    String bootstrapServers,
    String topic,
    String variant) {}
