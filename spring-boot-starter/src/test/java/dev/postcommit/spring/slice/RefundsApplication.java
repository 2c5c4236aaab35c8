package dev.postcommit.spring.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with more in it than a test of its events needs. */
@SpringBootApplication
class RefundsApplication {}
