package dev.postcommit.store.internal;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Lifecycle.Log;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.internal.LogAgenda.Diversion;
import dev.postcommit.store.internal.LogAgenda.Plan;
import dev.postcommit.store.internal.LogLease.Lead;
import dev.postcommit.store.internal.LogReader.Page;
import dev.postcommit.store.internal.LogReader.RestartedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storage that reads a log ahead, and settles by moving its cursor.
 *
 * <p>Who has the {@linkplain LogLease lease} on the cursor claims from memory what was read; the
 * others stand by. Events that cannot go their way in order are in the native table beside the log,
 * whose claims come from its own store, and have positive tokens.
 *
 * <p>The cursor may be kept {@linkplain LogPlaces elsewhere}, and moved with the deliveries. Then
 * claims are made and delivered one after the other, and the cursor in the table follows.
 */
final class LogStore implements PlacedLog {
  private static final Logger log = LoggerFactory.getLogger(LogStore.class);

  /** How much is read at once, in batches. */
  private static final int PAGE = 2;

  /** How much may wait in memory, in batches, before nothing more is read. */
  private static final int MOST_WAITING = 4;

  /** How long the cursor rests between two moves while there is work. */
  private static final long REST_NANOS = Duration.ofMillis(10).toNanos();

  private static final Duration PACE = Duration.ofMillis(1);

  /** How many pages are read for one claim, if all of them have to be diverted. */
  private static final int MOST_PAGES = 50;

  /** How far the table's cursor may be behind its place elsewhere, while nothing comes. */
  private static final long LAG_NANOS = Duration.ofMillis(200).toNanos();

  private final Database database;
  private final OutboxStore diverted;
  private final LogLease lease;
  private final LogReader reader;
  private final LogPartitionKeeper partitions;
  private final @Nullable LogPlaces places;
  private final Fences fences = new Fences();
  private final LogAgenda agenda = new LogAgenda();

  /** Held while something is claimed, or all is forgotten. */
  private final ReentrantLock claiming = new ReentrantLock();

  /** Held while the cursor is moved. */
  private final ReentrantLock moving = new ReentrantLock();

  private volatile Duration length = Duration.ZERO;
  private volatile @Nullable LogCursor moved;
  private volatile long movedAt = System.nanoTime() - REST_NANOS;

  /** What the cursor's row is marked with for its place elsewhere. */
  private volatile @Nullable String mark;

  /** Rises with each lease; what was planned under another comes to nothing. */
  private long generation;

  private boolean hasDueDiverted;
  private boolean divertedFirst;
  private boolean full;

  /** Whether rows were passed over that no place that was recorded is behind. */
  private volatile boolean passed;

  LogStore(
      Database database,
      Log lifecycle,
      OutboxStore diverted,
      UUID worker,
      @Nullable Places places) {
    this.database = database;
    this.diverted = diverted;
    this.places =
        places == null ? null : new LogPlaces(places, database.layout().table().toString());
    LogSql sql = new LogSql(database.layout(), lifecycle, database.reader());
    this.partitions =
        new LogPartitionKeeper(database, new LogAdminSql(database.layout(), lifecycle));
    this.lease = new LogLease(database, sql, worker, fences);
    this.reader = new LogReader(database, sql, fences);
  }

  @Override
  public Taken take(ClaimRequest request) {
    if (request.isScoped()) {
      throw new IllegalArgumentException(
          "a log is read as a whole: its claims cannot be scoped to a namespace or a tenant");
    }
    claiming.lock();
    try {
      return leads(request.lease()) ? tryTake(request) : Taken.NOTHING;
    } catch (LeaseLostException | RestartedException e) {
      forget();
      return Taken.NOTHING;
    } finally {
      claiming.unlock();
    }
  }

  /** Whether the lease is held, or can be had now. */
  private boolean leads(Duration wanted) {
    length = wanted;
    if (lease.isHeld()) {
      if (lease.wantsRenewal()) {
        renew(wanted);
      }
      return true;
    }
    // Nobody moves the cursor under the new lease to where it was under the old one.
    moving.lock();
    try {
      forget();
      Optional<Lead> lead = lease.take(wanted);
      return lead.isPresent() && begins(lead.get());
    } finally {
      moving.unlock();
    }
  }

  /** Begins to read where the cursor is; returns whether that is known. */
  private boolean begins(Lead lead) {
    LogCursor from = lead.cursor();
    if (places != null) {
      Optional<LogCursor> place = places.begin(lead);
      if (place.isEmpty()) {
        lease.release();
        return false;
      }
      from = place.get();
      mark = places.mark(lead);
    }
    synchronized (agenda) {
      reader.begin(lead, from);
      generation++;
    }
    moved = lead.cursor();
    return true;
  }

  /** Nothing that was claimed can be settled any more. */
  private void forget() {
    lease.lose();
    synchronized (agenda) {
      agenda.clear();
      generation++;
    }
    hasDueDiverted = false;
    passed = false;
  }

  private Taken tryTake(ClaimRequest request) {
    if (places == null) {
      synchronized (agenda) {
        agenda.expire();
      }
    }
    partitions.lookAfter(fences.newest());
    divert();
    if (places == null) {
      moveOn();
    }
    if (divertedFirst) {
      divertedFirst = false;
      Taken taken = diverted.take(request);
      if (taken.size() > 0) {
        return taken;
      }
      hasDueDiverted = false;
    }
    @Nullable Taken taken = fromMemory(request);
    if (taken == null || taken.size() < request.batchSize()) {
      taken = read(request, taken);
    }
    if (taken != null) {
      divertedFirst = hasDueDiverted;
      return taken;
    }
    if (places != null) {
      follow(places);
    }
    return hasDueDiverted ? diverted.take(request) : Taken.NOTHING;
  }

  /** Moves the cursor over what was settled or diverted meanwhile, unless it was moved just now. */
  private void moveOn() {
    if (hasRested()) {
      move(generation());
    }
  }

  /** Records what was passed over and is not yet, and lets the table's cursor follow. */
  private void follow(LogPlaces kept) {
    LogPlace place = kept.recorded();
    synchronized (agenda) {
      if (!agenda.isIdle()) {
        return;
      }
      if (passed && agenda.isDone()) {
        place = kept.next(reader.cursor());
      }
    }
    LogPlace next = place;
    if (next.number() > kept.recorded().number()) {
      if (kept.record(() -> marked(kept, next))) {
        passed = false;
        kept.advance();
      } else {
        abandonLead();
      }
    } else if (!next.cursor().equals(moved) && System.nanoTime() - lease.leasedAt() > LAG_NANOS) {
      renew(length);
    }
  }

  /** The text of a place, once the cursor's row is marked for it. */
  private String marked(LogPlaces kept, LogPlace place) {
    moving.lock();
    try {
      LogCursor recorded = kept.recorded().cursor();
      lease.moveDurably(recorded, place.mark(), length);
      mark = place.mark();
      moved = recorded;
    } finally {
      moving.unlock();
    }
    return place.text();
  }

  private long generation() {
    synchronized (agenda) {
      return generation;
    }
  }

  private boolean hasRested() {
    return System.nanoTime() - movedAt >= REST_NANOS;
  }

  /** Reads on as long as all that is read has to be diverted, and claims what there is then. */
  private @Nullable Taken read(ClaimRequest request, @Nullable Taken taken) {
    @Nullable Taken found = taken;
    for (int page = 0; page < MOST_PAGES; page++) {
      if (!readPage(request, found != null)) {
        return found;
      }
      boolean diverted = divert();
      found = found != null ? found : fromMemory(request);
      if (found != null || !diverted) {
        return found;
      }
    }
    return found;
  }

  /** Reads on, unless enough waits already; returns whether it did. */
  private boolean readPage(ClaimRequest request, boolean isTaken) {
    long asOf;
    synchronized (agenda) {
      boolean isEnough =
          isTaken
              ? agenda.waiting() > 0
              : agenda.waiting() >= MOST_WAITING * request.batchSize()
                  || agenda.waitingBytes() / MOST_WAITING >= request.batchBytes();
      if (isEnough) {
        return false;
      }
      asOf = agenda.closings();
    }
    boolean endsWindow;
    Page page;
    do {
      endsWindow = reader.cursor().upto() != null;
      page = reader.read(PAGE * request.batchSize(), request.batchBytes());
      hasDueDiverted = page.hasDueDiverted();
      if (isFull(page)) {
        return false;
      }
      synchronized (agenda) {
        reader.accept(page);
        agenda.add(page.rows());
        agenda.close(page.waitingKeys(), asOf);
      }
    } while (page.rows().isEmpty() && endsWindow);
    return true;
  }

  /** Whether so many keys wait that not all of them are known; nothing more is read until then. */
  private boolean isFull(Page page) {
    boolean now = page.waitingKeys().size() > LogSql.MOST_KEYS;
    if (now != full) {
      full = now;
      if (now) {
        log.warn(
            "events of more than {} keys are diverted from {}; nothing more is read from it until"
                + " they are fewer",
            LogSql.MOST_KEYS,
            database.layout().table());
      } else {
        log.info("{} is read again", database.layout().table());
      }
    }
    return now;
  }

  /** Diverts what waits and has a closed key; returns whether there was any. */
  private boolean divert() {
    List<Diversion> diversions;
    synchronized (agenda) {
      diversions = agenda.toDivert();
    }
    if (!diversions.isEmpty()) {
      lease.divert(diversions, length);
      synchronized (agenda) {
        agenda.diverted(diversions);
      }
      hasDueDiverted = true;
      passed = true;
    }
    return !diversions.isEmpty();
  }

  private @Nullable Taken fromMemory(ClaimRequest request) {
    synchronized (agenda) {
      @Nullable Long token = places == null ? agenda.take(request) : agenda.takeInTurn(request);
      return token == null
          ? null
          : new Read(new Claim(token, agenda.events(token)), lease.leasedAt());
    }
  }

  /** Events that are in memory. */
  private record Read(Claim claim, long since) implements Taken {
    @Override
    public int size() {
      return claim.events().size();
    }

    @Override
    public Claim read() {
      return claim;
    }

    @Override
    public OptionalLong leasedAt() {
      return OptionalLong.of(since);
    }
  }

  @Override
  public void settle(Claim claim, Collection<? extends Outcome> outcomes) {
    settle(claim, outcomes, true);
  }

  @Override
  public void settleSoon(Claim claim, Collection<? extends Outcome> outcomes) {
    settle(claim, outcomes, hasRested());
  }

  private void settle(Claim claim, Collection<? extends Outcome> outcomes, boolean now) {
    if (outcomes.isEmpty()) {
      return;
    }
    if (claim.token() > 0) {
      diverted.settle(claim, outcomes);
      return;
    }
    @Nullable Plan plan;
    long planned;
    synchronized (agenda) {
      plan = agenda.plan(claim.token(), outcomes);
      planned = generation;
    }
    if (plan == null) {
      throw lost(outcomes.size() + " events");
    }
    if (!plan.diversions().isEmpty()) {
      lease.divert(plan.diversions(), length);
      passed = true;
    }
    synchronized (agenda) {
      agenda.mark(plan);
      boolean isRecorded = plan.done().size() > plan.diversions().size();
      if (places != null && isRecorded && planned == generation) {
        places.advance();
      }
    }
    if (places == null && now) {
      move(planned);
    }
    synchronized (agenda) {
      agenda.finish(claim.token(), plan);
    }
  }

  /** Moves the cursor as far as everything is settled; what several lanes settled, at once. */
  private void move(long planned) {
    moving.lock();
    try {
      LogCursor to;
      synchronized (agenda) {
        if (planned != generation) {
          throw lost("events");
        }
        to = agenda.cursor(reader.cursor());
      }
      if (!to.equals(moved)) {
        lease.move(to, mark, length);
        moved = to;
        movedAt = System.nanoTime();
      }
    } finally {
      moving.unlock();
    }
  }

  @Override
  public Duration pace() {
    return PACE;
  }

  @Override
  public void renew(Claim claim, Duration wanted) {
    if (claim.token() > 0) {
      diverted.renew(claim, wanted);
      return;
    }
    synchronized (agenda) {
      if (!agenda.renew(claim.token(), wanted)) {
        throw lost(claim.events().size() + " events");
      }
    }
    renew(wanted);
  }

  private void renew(Duration wanted) {
    moving.lock();
    try {
      if (places != null) {
        LogCursor recorded = places.recorded().cursor();
        lease.move(recorded, mark, wanted);
        moved = recorded;
      } else if (moved != null) {
        lease.move(moved, mark, wanted);
      }
    } finally {
      moving.unlock();
    }
  }

  @Override
  public boolean isPlaced(Claim claim) {
    return claim.token() < 0;
  }

  @Override
  public Turn turn(Claim claim) {
    synchronized (agenda) {
      return agenda.turn(claim.token());
    }
  }

  @Override
  public String place(Claim claim, int events) {
    if (places == null) {
      throw new IllegalStateException("the cursor is kept in the table");
    }
    LogPlace place;
    synchronized (agenda) {
      if (agenda.turn(claim.token()) != Turn.NOW) {
        throw lost(events + " events");
      }
      place = places.next(agenda.cursorAfter(events, reader.cursor()));
      passed = false;
    }
    return marked(places, place);
  }

  @Override
  public void abandon(Claim claim) {
    claiming.lock();
    try {
      if (isHeld(claim)) {
        abandonLead();
      }
    } finally {
      claiming.unlock();
    }
  }

  /** Forgets everything, and lets others have the lease. */
  private void abandonLead() {
    try {
      lease.release();
    } catch (PostcommitException e) {
      log.debug("could not give up the lead; it ends with its time", e);
    }
    forget();
  }

  @Override
  public void rest() {
    claiming.lock();
    try {
      boolean idle;
      synchronized (agenda) {
        idle = agenda.isIdle();
      }
      if (idle) {
        giveUp();
        forget();
      }
    } finally {
      claiming.unlock();
    }
    diverted.rest();
  }

  @Override
  public void close() {
    giveUp();
    diverted.close();
  }

  /** Lets another take over at once, from where everything is settled. */
  private void giveUp() {
    try {
      if (lease.isHeld() && places == null) {
        move(generation());
      } else if (lease.isHeld()) {
        renew(length);
      }
      lease.release();
    } catch (PostcommitException e) {
      log.debug("could not give up the lead; its lease ends by itself", e);
    }
  }

  private boolean isHeld(Claim claim) {
    synchronized (agenda) {
      return agenda.holds(claim.token());
    }
  }

  private LeaseLostException lost(String what) {
    return new LeaseLostException(database.layout().table().toString(), what);
  }
}
