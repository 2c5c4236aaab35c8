package dev.postcommit.testkit.explorer.inbox;

import java.util.ArrayList;
import java.util.List;

/** What lies between a consumer and the server that keeps its marks. */
public final class Wire {

  /** What becomes of a request. */
  public enum Fate {
    /** It is executed and answered. */
    ANSWERED,
    /** It is executed, and its reply is lost. */
    REPLY_LOST,
    /** Its sender gives it up, and it is executed later. */
    LATE
  }

  /** A request that arrives late. */
  @FunctionalInterface
  public interface Request {
    void execute() throws Exception;
  }

  private final List<Request> late = new ArrayList<>();
  private Fate next = Fate.ANSWERED;

  /** Decides on the next request. */
  synchronized void next(Fate fate) {
    next = fate;
  }

  /** Whether this is what becomes of the request that is being made; if so, of no other. */
  public synchronized boolean takes(Fate fate) {
    if (next != fate) {
      return false;
    }
    next = Fate.ANSWERED;
    return true;
  }

  /** Keeps a request. */
  public synchronized void keep(Request request) {
    late.add(request);
  }

  /** Executes what was kept. */
  void arrive() throws Exception {
    List<Request> arriving;
    synchronized (this) {
      arriving = List.copyOf(late);
      late.clear();
    }
    for (Request request : arriving) {
      request.execute();
    }
  }
}
