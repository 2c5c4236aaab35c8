----------------------------- MODULE Diversion -----------------------------
(***************************************************************************)
(* How events leave the log for the native table beside it (ADR 28), with  *)
(* early take-over of the log (ADR 42).                                    *)
(*                                                                         *)
(* Log.tla shows that a reader gets the rows of the log in an order that   *)
(* keeps the order per key. Here the log is that sequence, and the cursor  *)
(* a number: everything up to it is delivered or diverted.                 *)
(*                                                                         *)
(* Why order per key holds: an event that fails is copied to the native    *)
(* table, and its key is closed. As long as anything of the key waits      *)
(* there, the later events of the key follow it there instead of being     *)
(* sent from the log; they are sent from there in order. An event is       *)
(* diverted only if nothing earlier of its key is being sent. Cursor and   *)
(* diversions are written in statements that name the lease's fence, so a  *)
(* stale leader changes neither; what it has sent may arrive until its     *)
(* lease would have ended, and until then nothing is given up, neither     *)
(* from the log nor from the native table. What was given up there stays   *)
(* so: a leader that reads again what the cursor has not passed leaves out *)
(* what is dead in the native table.                                       *)
(*                                                                         *)
(* Claims on the native table are in Claims.tla; here an attempt from      *)
(* there is one step. Events of one key are sent one at a time.            *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Relays, Count, NumKeys,
  MaxAttempts, MaxFaults, Faults,
  Revert

Events == 1..Count
Key(e) == e % NumKeys
Keys == {Key(e) : e \in Events}
Gone == [fence |-> 0, read |-> 0, state |-> [e \in Events |-> ""], closed |-> {}, undecided |-> {}]

VARIABLES
  cursor,   \* position, fence, owner, and the relays whose copies may arrive
  relay,    \* the leader's memory: how far it read, what became of events, closed keys
  side,     \* the native table: status and attempts of diverted events
  wire,     \* copies on their way: <<relay, event>>
  arrived, faults,
  replayed  \* history: replayed by an operator

vars == <<cursor, relay, side, wire, arrived, faults, replayed>>

HasArrived(e) == \E i \in DOMAIN arrived : arrived[i] = e
Leads(r) == relay[r].fence # 0
IsMine(r) == cursor.owner = r /\ cursor.fence = relay[r].fence
Fault(kind) == kind \in Faults /\ faults < MaxFaults /\ faults' = faults + 1
(* LogSql.WAITS: events of the key are in the native table and wait.       *)
KeyWaits(k) == \E e \in Events : Key(e) = k /\ side[e].status = "pending"
                  /\ (Revert = "only the failed" => side[e].attempts > 0)
Symmetry == Permutations(Relays)

Init ==
  /\ cursor = [position |-> 0, fence |-> 0, owner |-> "nobody", by |-> 0, undecided |-> {}]
  /\ relay = [r \in Relays |-> Gone]
  /\ side = [e \in Events |-> [status |-> "", attempts |-> 0, waits |-> {}]]
  /\ wire = {}
  /\ arrived = <<>>
  /\ faults = 0
  /\ replayed = {}

(* LogSql.LEAD, LogProgress.begins                                         *)
Lead(r) ==
  /\ ~Leads(r) /\ cursor.owner = "nobody" /\ r \notin cursor.undecided
  /\ cursor' = [cursor EXCEPT !.fence = @ + 1, !.owner = r, !.by = cursor.fence + 1]
  /\ relay' = [relay EXCEPT ![r] = [Gone EXCEPT !.fence = cursor.fence + 1,
                 !.read = cursor.position, !.undecided = cursor.undecided]]
  /\ UNCHANGED <<side, wire, arrived, faults, replayed>>

(* LogWaiting.take: the first of a key that is neither busy nor closed.    *)
Busy(r, k) == \E e \in Events : Key(e) = k /\ relay[r].state[e] \in {"sent", "failed", "rejected"}
FirstOfKey(r, e) == \A f \in Events : f < e /\ Key(f) = Key(e) => relay[r].state[f] # "waits"
Send(r, e) ==
  /\ Leads(r) /\ relay[r].state[e] = "waits" /\ FirstOfKey(r, e)
  /\ ~Busy(r, Key(e)) /\ Key(e) \notin relay[r].closed
  /\ relay' = [relay EXCEPT ![r].state[e] = "sent"]
  /\ wire' = wire \cup {<<r, e>>}
  /\ UNCHANGED <<cursor, side, arrived, faults, replayed>>

(* LogIntake.read: one more row, and which keys wait (LogKeys.close). What *)
(* is dead is left out (LogSql.ROW_IS_DEAD). Before that, LogStore diverts *)
(* all it can.                                                             *)
Read(r) ==
  LET e == relay[r].read + 1
      inMemory == {Key(f) : f \in {g \in Events : relay[r].state[g] \in {"waits", "sent"}}}
      isLeftOut == side[e].status = "dead" /\ Revert # "dead again" IN
  /\ Leads(r) /\ e \in Events
  /\ \A f \in Events : relay[r].state[f] = "waits" /\ Key(f) \in relay[r].closed => Busy(r, Key(f))
  /\ relay' = [relay EXCEPT ![r].read = e, ![r].state[e] = IF isLeftOut THEN "done" ELSE "waits",
                 ![r].closed = {k \in inMemory \cup {Key(e)} : KeyWaits(k)}]
  /\ UNCHANGED <<cursor, side, wire, arrived, faults, replayed>>

(* The broker: accepts, or rejects, or the attempt fails.                  *)
Answer(m, a) == relay' = [relay EXCEPT ![m[1]].state[m[2]] = IF @ = "sent" THEN a ELSE @]
ArriveOnce(e) == arrived' = IF HasArrived(e) THEN arrived ELSE Append(arrived, e)
Accept(m) ==
  /\ ArriveOnce(m[2]) /\ wire' = wire \ {m} /\ Answer(m, "done")
  /\ UNCHANGED <<cursor, side, faults, replayed>>
Refuse(m) ==
  /\ \E kind \in {"fail", "reject"} :
       Fault(kind) /\ Answer(m, IF kind = "fail" THEN "failed" ELSE "rejected")
  /\ wire' = wire \ {m}
  /\ UNCHANGED <<cursor, side, arrived, replayed>>

(* LogPlans, LogSql.DIVERT: copies an event whose attempt failed. It is    *)
(* dead if it was rejected, unless copies of an earlier leader may arrive; *)
(* then it is due when they cannot any more (OutcomeMapping.dead).         *)
Copy(e, as) == [f \in Events |-> IF f = e /\ side[e].status = "" THEN as ELSE side[f]]
Lost(r) == relay' = [relay EXCEPT ![r] = Gone] /\ UNCHANGED <<cursor, side>>
DivertFailed(r, e) ==
  LET open == relay[r].undecided \cap cursor.undecided
      givesUp == relay[r].state[e] = "rejected" \/ MaxAttempts = 1
      dead == givesUp /\ (open = {} \/ Revert = "give up early") IN
  /\ Leads(r) /\ relay[r].state[e] \in {"failed", "rejected"}
  /\ IF ~IsMine(r) THEN Lost(r) ELSE
       /\ side' = Copy(e, [status |-> IF dead THEN "dead" ELSE "pending", attempts |-> 1,
                           waits |-> IF givesUp THEN open ELSE {}])
       /\ relay' = [relay EXCEPT ![r].state[e] = "done",
                      ![r].closed = IF dead \/ Revert = "key stays open" THEN @ ELSE @ \cup {Key(e)}]
       /\ UNCHANGED cursor
  /\ UNCHANGED <<wire, arrived, faults, replayed>>
(* LogAgenda.toDivert: what waits behind a closed key that is not busy.    *)
DivertWaiting(r, e) ==
  /\ Leads(r) /\ relay[r].state[e] = "waits" /\ FirstOfKey(r, e)
  /\ Key(e) \in relay[r].closed
  /\ ~Busy(r, Key(e)) \/ Revert = "divert busy keys"
  /\ IF ~IsMine(r) THEN Lost(r) ELSE
       /\ side' = Copy(e, [status |-> "pending", attempts |-> 0, waits |-> {}])
       /\ relay' = [relay EXCEPT ![r].state[e] = "done"]
       /\ UNCHANGED cursor
  /\ UNCHANGED <<wire, arrived, faults, replayed>>

(* LogSql.MOVE: up to the first event that is not settled.                 *)
Settled(r) == {n \in 0..relay[r].read :
                 \A e \in Events : e <= n /\ e > cursor.position => relay[r].state[e] \in {"done", ""}}
Move(r) ==
  LET to == CHOOSE n \in Settled(r) : \A m \in Settled(r) : m <= n IN
  /\ Leads(r) /\ to > cursor.position
  /\ IF IsMine(r) \/ Revert = "fence"
     THEN cursor' = [cursor EXCEPT !.position = to, !.by = relay[r].fence] /\ UNCHANGED relay
     ELSE relay' = [relay EXCEPT ![r] = Gone] /\ UNCHANGED cursor
  /\ UNCHANGED <<side, wire, arrived, faults, replayed>>

(* A claim of the leader on the native table: the first that waits of a    *)
(* key. It is delivered, and that may not be recorded; or it fails or is   *)
(* rejected. Then too nothing is given up while copies of an earlier       *)
(* leader may arrive (LogStore.Diverted, ClaimSql.IS_DECIDED_IN_LOG).      *)
Beside(e) ==
  LET mayDie == Revert = "side table" \/ cursor.undecided = {}
      isDead(kind) == (kind = "reject" \/ side[e].attempts + 1 >= MaxAttempts) /\ mayDie IN
  /\ \E r \in Relays : IsMine(r)
  /\ side[e].status = "pending" /\ side[e].waits \cap cursor.undecided = {}
  /\ \A f \in Events : f < e /\ Key(f) = Key(e) => side[f].status # "pending"
  /\ \/ /\ ArriveOnce(e)
        /\ side' = [side EXCEPT ![e].status = "delivered"]
        /\ UNCHANGED faults
     \/ \E kind \in {"fail", "reject"} :
        /\ Fault(kind)
        /\ side' = [side EXCEPT ![e].attempts = IF @ < MaxAttempts THEN @ + 1 ELSE @,
                                ![e].status = IF isDead(kind) THEN "dead" ELSE "pending"]
        /\ arrived' = arrived \/ (kind = "fail" /\ ArriveOnce(e))
  /\ UNCHANGED <<cursor, relay, wire, replayed>>
Replay(e) ==
  /\ side[e].status = "dead" /\ Fault("replay")
  /\ side' = [side EXCEPT ![e].status = "pending", ![e].attempts = 1]
  /\ replayed' = replayed \cup {e}
  /\ UNCHANGED <<cursor, relay, wire, arrived>>

(* The leader dies, or loses its session and is none the wiser; Takeovers. *)
(* FREE_CURSOR frees the cursor before its lease ends. Lapse: its end.     *)
Free(r) ==
  /\ cursor.owner = r /\ Fault("take over")
  /\ cursor' = [cursor EXCEPT !.owner = "nobody", !.fence = @ + 1, !.by = cursor.fence + 1,
                              !.undecided = @ \cup {r}]
  /\ \E dies \in BOOLEAN : relay' = IF dies THEN [relay EXCEPT ![r] = Gone] ELSE relay
  /\ UNCHANGED <<side, wire, arrived, replayed>>
Lapse(r) ==
  /\ r \in cursor.undecided
  /\ cursor' = [cursor EXCEPT !.undecided = @ \ {r}]
  /\ relay' = [relay EXCEPT ![r] = Gone]
  /\ wire' = {m \in wire : m[1] # r}
  /\ UNCHANGED <<side, arrived, faults, replayed>>

Next ==
  \/ \E r \in Relays : Lead(r) \/ Read(r) \/ Move(r) \/ Free(r) \/ Lapse(r)
       \/ \E e \in Events : Send(r, e) \/ DivertFailed(r, e) \/ DivertWaiting(r, e)
  \/ \E m \in wire : Accept(m) \/ Refuse(m)
  \/ \E e \in Events : Beside(e) \/ Replay(e)

-----------------------------------------------------------------------------
Late(i, j) == i < j /\ arrived[i] > arrived[j] /\ Key(arrived[i]) = Key(arrived[j])
(* Only what an operator replays comes after later events of its key.      *)
Order == \A i, j \in DOMAIN arrived : Late(i, j) => arrived[j] \in replayed
NothingSkipped == \A e \in Events : e <= cursor.position => HasArrived(e) \/ side[e].status # ""
NothingLost == \A e \in Events : side[e].status = "delivered" => HasArrived(e)
StaleLeaderMovesNothing == cursor.by = cursor.fence
=============================================================================
