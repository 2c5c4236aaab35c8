package dev.postcommit.spring.slice;

import javax.sql.DataSource;
import org.springframework.stereotype.Service;

/** A component that scanning finds, and that has no place in a slice. */
@Service
record NeedsADatabase(DataSource dataSource) {}
