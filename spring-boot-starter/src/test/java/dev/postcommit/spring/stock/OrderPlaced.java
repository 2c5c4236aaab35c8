package dev.postcommit.spring.stock;

/** The content of an order. */
record OrderPlaced(String item, int quantity) {}
