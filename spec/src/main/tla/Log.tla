-------------------------------- MODULE Log --------------------------------
(***************************************************************************)
(* How a log is read: windows, the cursor, fences and the lease (ADR 28).  *)
(*                                                                         *)
(* Each writer is a transaction with one event of one key. It takes its    *)
(* transaction id, then the row's number, and ends later, in any order.    *)
(* The cursor is a snapshot. A window is what a later snapshot T sees and  *)
(* the cursor's did not, in the order of numbers; when it is delivered, T  *)
(* becomes the cursor.                                                     *)
(*                                                                         *)
(* Why nothing is skipped: a transaction that T does not see is in a later *)
(* window, whatever its number. To find its row without reading the whole  *)
(* table, a reader looks above a floor, and looks up by id the rows of old *)
(* transactions that T shows as running. The floor comes from fences: each *)
(* write of the cursor reads the sequence and then takes an id. A row's id *)
(* is taken before its number, so rows of ids above a fence's have numbers *)
(* above the fence's. Ids at or above T's xmax are above every fence that  *)
(* completed before T was taken.                                           *)
(*                                                                         *)
(* Why order holds: if one transaction committed before another inserted,  *)
(* every snapshot that sees the second sees the first, and the first has   *)
(* the lower number.                                                       *)
(*                                                                         *)
(* Left out: repair of sequences that were set back, other clusters,       *)
(* restarts of the database, partitions; for diversion see Diversion.tla.  *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Writers, Relays,
  PageSize,    \* rows per page; a window may have several pages
  MaxFences,   \* how many fences a relay keeps; older transactions are looked up
  MaxWrites,   \* writes of the cursor in all
  MaxCrashes,
  Revert

Nobody == 0
None == [xmax |-> 0, running |-> {}]       \* no snapshot
Never == [xmax |-> 1, running |-> {}]      \* a snapshot before everything
Nowhere == [floor |-> 0, seen |-> Never, upto |-> None, position |-> 0]
NoBound == [floor |-> 0, old |-> {}]
NoWrite == [kind |-> "", number |-> 0, xid |-> 0, to |-> Nowhere]
Standby == [fence |-> 0, floor |-> 0, seen |-> Never, upto |-> None, position |-> 0, old |-> {},
            next |-> NoBound, fences |-> <<>>, inFlight |-> <<>>, write |-> NoWrite]

VARIABLES
  tx,        \* the writers' transactions
  nextXid, lastSeq,
  completed, \* ids of transactions that have ended
  cursor,    \* the cursor's row
  relay,     \* what relays have in memory
  arrived, writes, crashes

vars == <<tx, nextXid, lastSeq, completed, cursor, relay, arrived, writes, crashes>>

Max(S) == CHOOSE x \in S : \A y \in S : y <= x
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Symmetry == Permutations(Relays) \cup Permutations(Writers)

(* pg_current_snapshot: xmax is one past the last id that has completed.   *)
Now == LET xmax == Max(completed \cup {0}) + 1
       IN [xmax |-> xmax, running |-> {x \in 1..xmax - 1 : x \notin completed}]
(* pg_visible_in_snapshot                                                  *)
Sees(s, xid) == xid < s.xmax /\ xid \notin s.running

Committed == {w \in Writers : tx[w].state = "committed"}
HasArrived(w) == \E i \in DOMAIN arrived : arrived[i] = w

Init ==
  /\ tx = [w \in Writers |-> [state |-> "", xid |-> 0, seq |-> 0, after |-> {}]]
  /\ nextXid = 1 /\ lastSeq = 0 /\ completed = {}
  /\ cursor = [floor |-> 0, seen |-> Never, upto |-> None, position |-> 0,
               owner |-> Nobody, fence |-> 0, by |-> 0]
  /\ relay = [r \in Relays |-> Standby]
  /\ arrived = <<>> /\ writes = 0 /\ crashes = 0

(* INSERT: "xid" is the first column, and defaults are taken in order.     *)
IdFirst == Revert # "number first"
TakeXid(w) ==
  /\ tx[w].state = "" /\ tx[w].xid = 0 /\ (IdFirst \/ tx[w].seq # 0)
  /\ tx' = [tx EXCEPT ![w].xid = nextXid, ![w].state = IF IdFirst THEN "" ELSE "written"]
  /\ nextXid' = nextXid + 1
  /\ UNCHANGED <<lastSeq, completed, cursor, relay, arrived, writes, crashes>>
TakeSeq(w) ==
  /\ tx[w].state = "" /\ tx[w].seq = 0 /\ (~IdFirst \/ tx[w].xid # 0)
  /\ tx' = [tx EXCEPT ![w].seq = lastSeq + 1, ![w].state = IF IdFirst THEN "written" ELSE "",
                      ![w].after = Committed]
  /\ lastSeq' = lastSeq + 1
  /\ UNCHANGED <<nextXid, completed, cursor, relay, arrived, writes, crashes>>
End(w) ==
  /\ tx[w].state = "written"
  /\ \E s \in {"committed", "aborted"} : tx' = [tx EXCEPT ![w].state = s]
  /\ completed' = completed \cup {tx[w].xid}
  /\ UNCHANGED <<nextXid, lastSeq, cursor, relay, arrived, writes, crashes>>

(* Fences.bound: where the rows are that a snapshot does not see.          *)
Bound(fences, s, before) ==
  LET oldest == fences[1].xid
      lowest == Min({s.xmax} \cup {x \in s.running : x > oldest})
      below == {i \in DOMAIN fences : fences[i].xid < lowest}
  IN IF oldest >= s.xmax THEN [floor |-> before, old |-> s.running]
     ELSE [floor |-> fences[Max(below)].number + (IF Revert = "floor" THEN 1 ELSE 0),
           old |-> {x \in s.running : x < oldest}]

(* LogSql.NEW_ROWS and OLD_ROWS, LogReader.accept: one page.               *)
Found(r, t) ==
  {w \in Committed :
    LET me == relay[r] IN
    /\ Sees(t, tx[w].xid)
    /\ IF Revert = "highest number" THEN tx[w].seq > me.floor ELSE
       \/ tx[w].seq > me.floor /\ tx[w].seq > me.position /\ ~Sees(me.seen, tx[w].xid)
       \/ tx[w].xid \in me.old /\ tx[w].seq > me.position /\ tx[w].seq <= me.floor}
BySeq(S) == [i \in 1..Cardinality(S) |->
               CHOOSE w \in S : Cardinality({v \in S : tx[v].seq < tx[w].seq}) = i - 1]
At(me, t, position) ==
  [floor |-> me.floor, seen |-> me.seen,
   upto |-> IF position = 0 THEN me.upto ELSE t, position |-> position]
Read(r) ==
  LET me == relay[r]
      t == IF me.upto = None THEN Now ELSE me.upto
      all == BySeq(Found(r, t))
      page == SubSeq(all, 1, IF Len(all) < PageSize THEN Len(all) ELSE PageSize)
      isLast == Len(page) < PageSize
      rows == [i \in DOMAIN page |->
                 [row |-> page[i],
                  before |-> At(me, t, IF i = 1 THEN me.position ELSE tx[page[i - 1]].seq)]]
      next == IF me.upto = None THEN Bound(me.fences, t, me.floor) ELSE me.next
      highest == IF page = <<>> THEN me.floor ELSE tx[page[Len(page)]].seq
  IN
  /\ me.fence # 0
  /\ ~(page = <<>> /\ me.upto = None /\ me.seen = t)
  /\ relay' = [relay EXCEPT ![r] =
       IF isLast
       THEN [me EXCEPT !.inFlight = @ \o rows, !.upto = None, !.position = 0, !.seen = t,
               !.floor = IF Revert = "highest number" THEN highest ELSE next.floor,
               !.old = next.old, !.next = NoBound]
       ELSE [me EXCEPT !.inFlight = @ \o rows, !.upto = t, !.next = next,
               !.position = tx[page[Len(page)]].seq]]
  /\ UNCHANGED <<tx, nextXid, lastSeq, completed, cursor, arrived, writes, crashes>>

(* The broker has the first row that is not delivered. Also of a stale     *)
(* leader: its copies may arrive at any time.                              *)
Deliver(r) ==
  /\ relay[r].inFlight # <<>>
  /\ LET w == Head(relay[r].inFlight).row IN
       arrived' = IF HasArrived(w) THEN arrived ELSE Append(arrived, w)
  /\ relay' = [relay EXCEPT ![r].inFlight = Tail(@)]
  /\ UNCHANGED <<tx, nextXid, lastSeq, completed, cursor, writes, crashes>>

(* Writes of the cursor: LogSql.MOVE and TAKE. Each reads the sequence     *)
(* (NUMBER), takes an id and locks the row, and commits.                   *)
Position(of) == [floor |-> of.floor, seen |-> of.seen, upto |-> of.upto, position |-> of.position]
Settled(r) == IF relay[r].inFlight = <<>> THEN Position(relay[r]) ELSE Head(relay[r].inFlight).before
Start(r, kind) ==
  /\ relay[r].write.kind = "" /\ writes < MaxWrites /\ writes' = writes + 1
  /\ IF kind = "lead" THEN relay[r].fence = 0
     ELSE relay[r].fence # 0 /\ Settled(r) # Position(cursor)
  /\ relay' = [relay EXCEPT ![r].write =
       [kind |-> kind, number |-> lastSeq, xid |-> 0,
        to |-> IF kind = "lead" THEN Nowhere ELSE Settled(r)]]
  /\ UNCHANGED <<tx, nextXid, lastSeq, completed, cursor, arrived, crashes>>
IsLocked == \E r \in Relays : relay[r].write.xid # 0
IsMine(r) == cursor.owner = r /\ cursor.fence = relay[r].fence
Lock(r) ==
  /\ relay[r].write.kind # "" /\ relay[r].write.xid = 0 /\ ~IsLocked
  /\ IF relay[r].write.kind = "lead" \/ IsMine(r) \/ Revert = "fence"
     THEN /\ relay' = [relay EXCEPT ![r].write.xid = nextXid]
          /\ nextXid' = nextXid + 1
     ELSE relay' = [relay EXCEPT ![r] = Standby] /\ UNCHANGED nextXid
  /\ UNCHANGED <<tx, lastSeq, completed, cursor, arrived, writes, crashes>>
Commit(r) ==
  LET me == relay[r]
      fence == [xid |-> me.write.xid, number |-> me.write.number]
      fences == Append(me.fences, fence)
      kept == IF Len(fences) > MaxFences THEN Tail(fences) ELSE fences
  IN
  /\ me.write.xid # 0
  /\ completed' = completed \cup {me.write.xid}
  /\ IF me.write.kind = "lead"
     THEN /\ cursor' = [cursor EXCEPT !.owner = r, !.fence = @ + 1, !.by = cursor.fence + 1]
          /\ relay' = [relay EXCEPT ![r] = [Standby EXCEPT
               !.fence = cursor.fence + 1, !.fences = <<fence>>,
               !.floor = cursor.floor, !.seen = cursor.seen, !.upto = cursor.upto,
               !.position = cursor.position, !.old = cursor.seen.running,
               !.next = IF cursor.upto = None THEN NoBound
                        ELSE Bound(<<fence>>, cursor.upto, cursor.floor)]]
     ELSE /\ cursor' = [cursor EXCEPT !.floor = me.write.to.floor, !.seen = me.write.to.seen,
               !.upto = me.write.to.upto, !.position = me.write.to.position, !.by = me.fence]
          /\ relay' = [relay EXCEPT ![r].fences = kept, ![r].write = NoWrite]
  /\ UNCHANGED <<tx, nextXid, lastSeq, arrived, writes, crashes>>

Crash(r) ==
  /\ relay[r] # Standby /\ crashes < MaxCrashes /\ crashes' = crashes + 1
  /\ relay' = [relay EXCEPT ![r] = Standby]
  /\ completed' = IF relay[r].write.xid = 0 THEN completed ELSE completed \cup {relay[r].write.xid}
  /\ UNCHANGED <<tx, nextXid, lastSeq, cursor, arrived, writes>>

Next ==
  \/ \E w \in Writers : TakeXid(w) \/ TakeSeq(w) \/ End(w)
  \/ \E r \in Relays : Read(r) \/ Deliver(r) \/ Start(r, "lead") \/ Start(r, "move")
       \/ Lock(r) \/ Commit(r) \/ Crash(r)

-----------------------------------------------------------------------------
(* LogCursor: what the cursor says is delivered.                           *)
IsPassed(w) ==
  \/ IF Revert = "highest number" THEN tx[w].seq <= cursor.floor ELSE Sees(cursor.seen, tx[w].xid)
  \/ cursor.upto # None /\ Sees(cursor.upto, tx[w].xid) /\ tx[w].seq <= cursor.position
NothingSkipped == \A w \in Committed : IsPassed(w) => HasArrived(w)
(* Whoever begins at the cursor finds what it has not passed.              *)
IsFound(w) == tx[w].seq > cursor.floor \/ tx[w].xid \in cursor.seen.running
EverythingIsFound ==
  \A w \in Writers : tx[w].seq # 0 /\ tx[w].xid # 0 /\ ~Sees(cursor.seen, tx[w].xid) => IsFound(w)
Order ==
  \A i, j \in DOMAIN arrived : i < j => arrived[j] \notin tx[arrived[i]].after
NoGap ==   \* what must come before an event has arrived when it does
  \A i \in DOMAIN arrived : \A v \in tx[arrived[i]].after : \E j \in 1..i : arrived[j] = v
NothingPhantom == \A i \in DOMAIN arrived : arrived[i] \in Committed
StaleLeaderMovesNothing == cursor.by = cursor.fence
=============================================================================
