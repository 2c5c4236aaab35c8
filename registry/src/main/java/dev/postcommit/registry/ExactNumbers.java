package dev.postcommit.registry;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.math.BigDecimal;

/**
 * Keeps numbers exact, because a double would turn 1e-400 into an integer and 1e400 into infinity,
 * but only up to a size: written out in full, 1e999999999 would fill the memory.
 */
final class ExactNumbers extends JsonNodeFactory {
  private static final long serialVersionUID = 1L;
  private static final int MAX_SCALE = 1000;

  @Override
  public ValueNode numberNode(BigDecimal number) {
    if (Math.abs((long) number.scale()) > MAX_SCALE) {
      throw new ArithmeticException("more than " + MAX_SCALE + " digits");
    }
    return super.numberNode(number);
  }
}
