------------------------------- MODULE Claims -------------------------------
(***************************************************************************)
(* Claims on the native table, with early take-over (ADR 1 and 42).        *)
(*                                                                         *)
(* Relays claim runs of events of a key, send them, and settle them.       *)
(* A relay may be killed, freeze, or lose the database session that it     *)
(* recorded. Once that session is gone, another relay takes over, although *)
(* messages of the first one may still be on their way to the broker.      *)
(*                                                                         *)
(* Why first deliveries stay in order:                                     *)
(*  1. The relay that was taken over settles nothing: its claim has        *)
(*     another owner, and Settle names the owner (the fence).              *)
(*  2. Both relays send a key from its first unsettled event on and leave  *)
(*     none out, so in the run that first brings an event, the one before  *)
(*     it came earlier.                                                    *)
(*  3. An event is left out when it is given up. So nothing is given up    *)
(*     while copies of a taken-over relay may arrive, that is, until its   *)
(*     lease would have ended. The claim stays, owned by Nobody, to say    *)
(*     so; an event on its last attempt stays in it; a rejected event      *)
(*     stops its key and waits for that moment.                            *)
(*                                                                         *)
(* Assumptions, each a constant that can be switched off:                  *)
(*  Timely     A message arrives before the lease under which it was sent  *)
(*             ends, or never (delivery timeout < lease).                  *)
(*  Permanent  Once an event was rejected under a claim, its copies of     *)
(*             that claim and of later ones are rejected too; a copy of an *)
(*             earlier claim may still be accepted.                        *)
(*  Drains     A relay that is stopped waits for its answers.              *)
(*                                                                         *)
(* Time is not a number: a lease may end at any moment (Lapse).            *)
(* Left out: scopes, batch sizes in bytes, the floor, deferrals.           *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Relays, Count, NumKeys,   \* Count events; event e has key e % NumKeys
  Written,                  \* how many of them are committed from the start
  ClaimIds, BatchSize, MaxAttempts,
  Faults, MaxFaults,        \* what may go wrong, and how often in all
  Timely, Permanent, Drains,
  Revert                    \* the guard that is left out; "none" for the code

Events == 1..Count
Key(e) == e % NumKeys
Keys == {Key(e) : e \in Events}
Nobody == "nobody"          \* Takeovers.NOBODY
None == "none"
Blank == [owner |-> None, ids |-> {}, over |-> FALSE]
Idle == [claim |-> 0, batch |-> {}, sent |-> {},
         answer |-> [e \in Events |-> ""], undecided |-> {}]

VARIABLES
  row,      \* the table: status, attempts, and the leases that a retry waits for
  claim,    \* the table of claims: owner, ids, and whether its time is up
  up,       \* "up", "frozen" or "dead"
  session,  \* whether the session that the relay recorded exists
  hold,     \* what the relay knows: its claim and the answers of the broker
  wire,     \* copies on their way: <<claim, event>>
  refused,  \* per event, the first claim under which it was rejected
  arrived,  \* what consumers see: first arrivals, per key
  faults

vars == <<row, claim, up, session, hold, wire, refused, arrived, faults>>

Status(e) == row[e].status
HasArrived(e) == \E i \in DOMAIN arrived[Key(e)] : arrived[Key(e)][i] = e
Exists(c) == claim[c].owner # None
(* Leases of relays that were taken over and whose copies may arrive.      *)
Open == {c \in ClaimIds : claim[c].owner = Nobody /\ ~claim[c].over}
More(n) == IF n < MaxAttempts THEN n + 1 ELSE n
Another(r) == \E o \in Relays \ {r} : up[o] = "up"
Fault(kind) == kind \in Faults /\ faults < MaxFaults /\ faults' = faults + 1
Symmetry == Permutations(Relays)

Init ==
  /\ row = [e \in Events |-> [status |-> IF e <= Written THEN "pending" ELSE "none",
                               attempts |-> 0, waits |-> {}]]
  /\ claim = [c \in ClaimIds |-> Blank]
  /\ up = [r \in Relays |-> "up"]
  /\ session = [r \in Relays |-> TRUE]
  /\ hold = [r \in Relays |-> Idle]
  /\ wire = {}
  /\ refused = [e \in Events |-> 0]
  /\ arrived = [k \in Keys |-> <<>>]
  /\ faults = 0

(* Writers of one key lock each other out, so a key's rows are in order.   *)
Write(e) ==
  /\ Status(e) = "none"
  /\ \A f \in Events : f < e /\ Key(f) = Key(e) => Status(f) # "none"
  /\ \E s \in {"pending", "rolled back"} : row' = [row EXCEPT ![e].status = s]
  /\ UNCHANGED <<claim, up, session, hold, wire, refused, arrived, faults>>

(* ClaimSql.PICK: due rows in order, but none of a busy key and none       *)
(* behind one that waits. Ids rise; they start again once all are unused.  *)
BusyKeys == IF Revert = "busy keys" THEN {}
            ELSE {Key(e) : e \in UNION {claim[c].ids : c \in {d \in ClaimIds : Exists(d)}}}
Taken == UNION {claim[c].ids : c \in {d \in ClaimIds : Exists(d)}}
Waits(e) == Status(e) = "pending" /\ row[e].waits \cap Open # {}
Due(e) ==
  /\ Status(e) = "pending" /\ Key(e) \notin BusyKeys /\ e \notin Taken
  /\ \A f \in Events : f <= e /\ Key(f) = Key(e) => ~Waits(f)
Batch == {e \in Events : Due(e) /\ Cardinality({f \in Events : f < e /\ Due(f)}) < BatchSize}
Unused(c) ==
  /\ ~Exists(c)
  /\ \A r \in Relays : hold[r].claim # c /\ c \notin hold[r].undecided
  /\ \A m \in wire : m[1] # c
  /\ \A e \in Events : c \notin row[e].waits
Claim(r) ==
  /\ up[r] = "up" /\ hold[r].claim = 0
  /\ Batch # {}
  /\ \E c \in {d \in ClaimIds : Unused(d)} :
       /\ \A d \in ClaimIds : d >= c => Unused(d)
       /\ IF c = 1 THEN TRUE ELSE ~Unused(c - 1)
       /\ claim' = [claim EXCEPT ![c] = [owner |-> r, ids |-> Batch, over |-> FALSE]]
       /\ hold' = [hold EXCEPT ![r] = [Idle EXCEPT !.claim = c, !.batch = Batch,
                     !.undecided = IF Revert = "give up early" THEN {} ELSE Open]]
       /\ refused' = [e \in Events |-> IF e \in Batch /\ refused[e] > c THEN c ELSE refused[e]]
  /\ row' = [e \in Events |-> IF e \in Batch THEN [row[e] EXCEPT !.waits = {}] ELSE row[e]]
  /\ UNCHANGED <<up, session, wire, arrived, faults>>

(* BatchSender.send: in order per key. If the batch is undecided, each     *)
(* event waits for the answer to the one before it, and a rejection stops  *)
(* the key; otherwise only a failure does. Batch.isHeld: not after the     *)
(* lease.                                                                  *)
InTurn(r) == hold[r].undecided # {} /\ Revert # "not in turn"
Stops(r) == IF InTurn(r) THEN {"failed", "rejected"} ELSE {"failed"}
Stopped(r, e) == \E f \in hold[r].batch : f < e /\ Key(f) = Key(e) /\ hold[r].answer[f] \in Stops(r)
Sendable(r) ==
  {e \in hold[r].batch \ hold[r].sent :
     /\ ~Stopped(r, e)
     /\ InTurn(r) => \A f \in hold[r].batch :
          f < e /\ Key(f) = Key(e) => hold[r].answer[f] = "delivered"}
Send(r) ==
  /\ up[r] = "up" /\ Sendable(r) # {}
  /\ Exists(hold[r].claim) /\ ~claim[hold[r].claim].over
  /\ wire' = wire \cup {<<hold[r].claim, e>> : e \in Sendable(r)}
  /\ hold' = [hold EXCEPT ![r].sent = @ \cup Sendable(r)]
  /\ UNCHANGED <<row, claim, up, session, refused, arrived, faults>>

(* The broker takes the messages of one claim and key in order. It accepts *)
(* one, and the answer may get lost; it rejects it; or the attempt fails,  *)
(* and the producer sends nothing more (ADR 6).                            *)
Answer(c, e, a) ==
  hold' = [r \in Relays |->
    IF hold[r].claim = c THEN [hold[r] EXCEPT !.answer[e] = a] ELSE hold[r]]
Arrive(m) ==
  /\ arrived' = IF HasArrived(m[2]) THEN arrived
                ELSE [arrived EXCEPT ![Key(m[2])] = Append(@, m[2])]
IsRefused(m) == Permanent /\ refused[m[2]] # 0 /\ refused[m[2]] <= m[1]
First(m) == \A n \in wire : n[1] = m[1] /\ Key(n[2]) = Key(m[2]) => m[2] <= n[2]
Accept(m) ==
  /\ First(m) /\ ~IsRefused(m)
  /\ Arrive(m) /\ wire' = wire \ {m} /\ Answer(m[1], m[2], "delivered")
  /\ UNCHANGED <<row, claim, up, session, refused, faults>>
Reject(m) ==
  /\ First(m)
  /\ IF IsRefused(m) THEN UNCHANGED <<faults, refused>>
     ELSE Fault("reject") /\ refused' = [refused EXCEPT ![m[2]] = m[1]]
  /\ wire' = wire \ {m} /\ Answer(m[1], m[2], "rejected")
  /\ UNCHANGED <<row, claim, up, session, arrived>>
Fail(m) ==
  /\ First(m) /\ Fault("fail")
  /\ \/ arrived' = arrived
     \/ ~IsRefused(m) /\ Arrive(m)
  /\ wire' = {n \in wire : n[1] # m[1]} /\ Answer(m[1], m[2], "failed")
  /\ UNCHANGED <<row, claim, up, session, refused>>

(* SettleSql.SETTLE with OutcomeMapping.outcome. What has no answer was    *)
(* held back, and goes back as it was.                                     *)
Outcome(r, e) ==
  LET answer == hold[r].answer[e]
      open == hold[r].undecided \cap Open
      isLast == row[e].attempts + 1 >= MaxAttempts
      tried == [row[e] EXCEPT !.attempts = More(@)]
  IN IF answer = "delivered" THEN [row[e] EXCEPT !.status = "delivered"]
     ELSE IF answer = "" THEN row[e]
     ELSE IF answer = "rejected" \/ isLast
       THEN IF open = {} THEN [tried EXCEPT !.status = "dead"] ELSE [tried EXCEPT !.waits = open]
     ELSE tried
Settle(r) ==
  LET c == hold[r].claim IN
  /\ up[r] = "up" /\ c # 0
  /\ Drains => \A m \in wire : m[1] # c
  /\ Sendable(r) = {} \/ ~session[r] \/ ~Exists(c)
  /\ claim[c].over => \A e \in hold[r].batch : hold[r].answer[e] # ""
  /\ IF claim[c].owner = r \/ Revert = "fence"
     THEN /\ row' = [e \in Events |-> IF e \in hold[r].batch /\ Status(e) = "pending"
                                      THEN Outcome(r, e) ELSE row[e]]
          /\ claim' = [claim EXCEPT ![c] = Blank]
     ELSE UNCHANGED <<row, claim>>
  /\ hold' = [hold EXCEPT ![r] = Idle]
  /\ UNCHANGED <<up, session, wire, refused, arrived, faults>>

(* Settling.giveUp: the lease ended before there were answers.             *)
GiveUp(r) ==
  /\ up[r] = "up" /\ hold[r].claim # 0 /\ claim[hold[r].claim].over
  /\ hold' = [hold EXCEPT ![r] = Idle]
  /\ UNCHANGED <<row, claim, up, session, wire, refused, arrived, faults>>

(* A lease ends, and before it the time that the publisher has to answer.  *)
(* SettleSql.RENEW makes the lease last again if it still exists.          *)
Lapse(c) ==
  /\ Exists(c) /\ ~claim[c].over
  /\ claim' = [claim EXCEPT ![c].over = TRUE]
  /\ wire' = IF Timely THEN {m \in wire : m[1] # c} ELSE wire
  /\ hold' = [r \in Relays |-> IF hold[r].claim # c THEN hold[r] ELSE
       [hold[r] EXCEPT !.answer = [e \in Events |->
          IF <<c, e>> \in wire \ wire' THEN "failed" ELSE @[e]]]]
  /\ UNCHANGED <<row, up, session, refused, arrived, faults>>
Renew(r) ==
  LET c == hold[r].claim IN
  /\ up[r] = "up" /\ c # 0 /\ claim[c].owner = r /\ claim[c].over
  /\ claim' = [claim EXCEPT ![c].over = FALSE]
  /\ UNCHANGED <<row, up, session, hold, wire, refused, arrived, faults>>

(* ClaimSql.EXPIRE: counts the attempt that never finished.                *)
Forget(of, c) == [of EXCEPT !.waits = @ \ {c}]
Unfinished(e, decided) ==
  IF row[e].attempts + 1 >= MaxAttempts /\ decided
  THEN [row[e] EXCEPT !.attempts = More(@), !.status = "dead"]
  ELSE [row[e] EXCEPT !.attempts = More(@)]
Expire(c) ==
  /\ \E r \in Relays : up[r] = "up"
  /\ Exists(c) /\ claim[c].over
  /\ row' = [e \in Events |-> IF e \in claim[c].ids /\ Status(e) = "pending"
                              THEN Unfinished(e, Open = {}) ELSE Forget(row[e], c)]
  /\ claim' = [claim EXCEPT ![c] = Blank]
  /\ UNCHANGED <<up, session, hold, wire, refused, arrived, faults>>

(* Holdings.FREE_CLAIMS: what is on its last attempt is not freed.         *)
TakeOver(r, c) ==
  LET last == {e \in claim[c].ids : row[e].attempts + 1 >= MaxAttempts} IN
  /\ up[r] = "up" /\ session[r]
  /\ claim[c].owner \in Relays \ {r} /\ ~session[claim[c].owner] /\ ~claim[c].over
  /\ claim' = [claim EXCEPT ![c].owner = Nobody,
                            ![c].ids = IF Revert = "last attempts" THEN {} ELSE last]
  /\ row' = [e \in Events |->
       IF e \in claim[c].ids /\ Status(e) = "pending" /\ (e \notin last \/ Revert = "last attempts")
       THEN Unfinished(e, TRUE) ELSE row[e]]
  /\ UNCHANGED <<up, session, hold, wire, refused, arrived, faults>>

(* Faults. At least one relay stays up.                                    *)
Kill(r) ==
  /\ up[r] # "dead" /\ Another(r) /\ Fault("kill")
  /\ up' = [up EXCEPT ![r] = "dead"]
  /\ session' = [session EXCEPT ![r] = FALSE]
  /\ hold' = [hold EXCEPT ![r] = Idle]
  /\ UNCHANGED <<row, claim, wire, refused, arrived>>
Freeze(r) ==
  /\ up[r] = "up" /\ Another(r) /\ Fault("freeze")
  /\ up' = [up EXCEPT ![r] = "frozen"]
  /\ UNCHANGED <<row, claim, session, hold, wire, refused, arrived>>
Thaw(r) ==
  /\ up[r] = "frozen"
  /\ up' = [up EXCEPT ![r] = "up"]
  /\ UNCHANGED <<row, claim, session, hold, wire, refused, arrived, faults>>
LoseSession(r) ==
  /\ up[r] # "dead" /\ session[r] /\ Fault("session")
  /\ session' = [session EXCEPT ![r] = FALSE]
  /\ UNCHANGED <<row, claim, up, hold, wire, refused, arrived>>
(* Presence with OwnSession.record: another session, the same relay.       *)
Reconnect(r) ==
  /\ up[r] = "up" /\ ~session[r]
  /\ session' = [session EXCEPT ![r] = TRUE]
  /\ UNCHANGED <<row, claim, up, hold, wire, refused, arrived, faults>>

Work(r) == Claim(r) \/ Send(r) \/ Settle(r) \/ GiveUp(r) \/ Renew(r) \/ Reconnect(r)
             \/ \E c \in ClaimIds : TakeOver(r, c)
Next ==
  \/ \E e \in Events : Write(e)
  \/ \E r \in Relays : Work(r) \/ Kill(r) \/ Freeze(r) \/ Thaw(r) \/ LoseSession(r)
  \/ \E m \in wire : Accept(m) \/ Reject(m) \/ Fail(m)
  \/ \E c \in ClaimIds : Lapse(c) \/ Expire(c)

(* A lease that is renewed again and again lasts long enough to send.      *)
Fairness ==
  /\ \A r \in Relays : /\ WF_vars(Claim(r)) /\ WF_vars(Settle(r) \/ GiveUp(r)) /\ WF_vars(Reconnect(r))
                       /\ SF_vars(Send(r))
  /\ WF_vars(\E m \in wire : Accept(m) \/ Reject(m))
  /\ \A c \in ClaimIds : WF_vars(Lapse(c)) /\ WF_vars(Expire(c))
Spec == Init /\ [][Next]_vars /\ Fairness

-----------------------------------------------------------------------------
Order == \A k \in Keys : \A i, j \in DOMAIN arrived[k] : i < j => arrived[k][i] < arrived[k][j]
(* What holds even without the assumptions: only dead events come late.    *)
OrderOfTheLiving ==
  \A k \in Keys : \A i, j \in DOMAIN arrived[k] :
    i < j /\ arrived[k][i] > arrived[k][j] => Status(arrived[k][j]) = "dead"
NothingPhantom == \A e \in Events : HasArrived(e) => Status(e) \notin {"none", "rolled back"}
NothingLost == \A e \in Events : Status(e) = "delivered" => HasArrived(e)
NoCopyOfADeadEvent ==
  \A m \in wire : Status(m[2]) = "dead" => HasArrived(m[2]) \/ IsRefused(m)
OneClaimPerKey ==
  \A c, d \in ClaimIds : c # d /\ Exists(c) /\ Exists(d) =>
    {Key(e) : e \in claim[c].ids} \cap {Key(e) : e \in claim[d].ids} = {}

EveryEventEnds ==
  \A e \in Events : Status(e) = "pending" ~> Status(e) \in {"delivered", "dead"}
=============================================================================
