----------------------------- MODULE Checkpoint -----------------------------
(***************************************************************************)
(* Exactly once into Kafka (ADR 29): a leader of the log sends messages    *)
(* and its checkpoint in one Kafka transaction.                            *)
(*                                                                         *)
(* Why nothing is delivered twice: a new leader first fences the old       *)
(* producer (initTransactions), and only then reads the checkpoint. What   *)
(* the old one had open is aborted, and it commits nothing any more, so    *)
(* the checkpoint that is read is the last one.                            *)
(*                                                                         *)
(* Why nothing is skipped if the database is restored: a checkpoint speaks *)
(* of transactions that the restored database does not have. So before     *)
(* checkpoint n of a history is committed, the cursor's row is marked with *)
(* the history and n, in the database. If the row says n or n + 1, the     *)
(* database has all that checkpoint n speaks of. Otherwise the table's own *)
(* cursor counts, and a new history begins; then events may be repeated.   *)
(*                                                                         *)
(* The log is a sequence of events here, and a cursor a number; see        *)
(* Log.tla. Left out: events that are refused and leave the log.           *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Relays, Count, MaxLeads, MaxFaults, Restores, Revert

Standby == [phase |-> "standby", fence |-> 0, epoch |-> 0, mark |-> <<0, 0>>,
            position |-> 0, number |-> 0, history |-> 0, open |-> 0]

VARIABLES
  log,        \* the table: a sequence of events
  cursor,     \* the cursor's row: position, mark <<history, number>>, owner, fence, run
  backup,     \* of the database
  epoch,      \* of the producer, kept by Kafka
  checkpoint, \* committed in Kafka: history, number, position
  committed,  \* what consumers with read_committed see
  relay, written, histories, faults

vars == <<log, cursor, backup, epoch, checkpoint, committed, relay, written, histories, faults>>
Symmetry == Permutations(Relays)
Fault == faults < MaxFaults /\ faults' = faults + 1
Range(s) == {s[i] : i \in DOMAIN s}

Init ==
  /\ log = <<>> /\ written = 0
  /\ cursor = [position |-> 0, mark |-> <<0, 0>>, owner |-> 0, fence |-> 0, run |-> 0]
  /\ backup = <<>>
  /\ epoch = 0
  /\ checkpoint = [history |-> 0, number |-> 0, position |-> 0]
  /\ committed = <<>>
  /\ relay = [r \in Relays |-> Standby]
  /\ histories = 0 /\ faults = 0

Write ==
  /\ written < Count /\ written' = written + 1
  /\ log' = Append(log, written + 1)
  /\ UNCHANGED <<cursor, backup, epoch, checkpoint, committed, relay, histories, faults>>

(* LogSql.TAKE: the lease may be over at any time.                         *)
Lead(r) ==
  /\ relay[r].phase = "standby" /\ cursor.fence < MaxLeads
  /\ cursor' = [cursor EXCEPT !.owner = r, !.fence = @ + 1]
  /\ relay' = [relay EXCEPT ![r] = [Standby EXCEPT !.phase = "leads", !.fence = cursor.fence + 1,
                 !.position = cursor.position, !.mark = cursor.mark]]
  /\ UNCHANGED <<log, backup, epoch, checkpoint, committed, written, histories, faults>>
(* KafkaTransactions.begin: initTransactions, then CheckpointTopic.read.   *)
ReadsFirst == Revert = "checkpoint first"
Fence(r) ==
  /\ relay[r].phase = IF ReadsFirst THEN "read" ELSE "leads"
  /\ epoch' = epoch + 1
  /\ relay' = [relay EXCEPT ![r].phase = IF ReadsFirst THEN "works" ELSE "fenced",
                            ![r].epoch = epoch + 1]
  /\ UNCHANGED <<log, cursor, backup, checkpoint, committed, written, histories, faults>>
(* CheckpointProgress.begin with LogCheckpoint.agreesWith                  *)
Agrees(mark) ==
  \/ checkpoint.number > 0 /\ mark[1] = checkpoint.history
       /\ mark[2] \in {checkpoint.number, checkpoint.number + 1}
  \/ Revert = "mark" /\ checkpoint.number > 0
ReadCheckpoint(r) ==
  /\ relay[r].phase = IF ReadsFirst THEN "leads" ELSE "fenced"
  /\ LET after == IF ReadsFirst THEN "read" ELSE "works" IN
     IF Agrees(relay[r].mark)
     THEN /\ relay' = [relay EXCEPT ![r].phase = after, ![r].position = checkpoint.position,
                 ![r].number = checkpoint.number, ![r].history = checkpoint.history]
          /\ UNCHANGED histories
     ELSE /\ relay' = [relay EXCEPT ![r].phase = after, ![r].history = histories + 1]
          /\ histories' = histories + 1
  /\ UNCHANGED <<log, cursor, backup, epoch, checkpoint, committed, written, faults>>

IsMine(r) == cursor.owner = r /\ cursor.fence = relay[r].fence
(* CheckpointProgress.checkpoint: with the messages on their way,          *)
(* the row is marked for the next checkpoint (LogLease.moveDurably), and   *)
(* the table's cursor follows the last one.                                *)
Mark(r) ==
  /\ relay[r].phase = "works" /\ relay[r].position < Len(log)
  /\ IF IsMine(r)
     THEN /\ cursor' = [cursor EXCEPT !.position = relay[r].position,
                          !.mark = <<relay[r].history, relay[r].number + 1>>]
          /\ \E n \in relay[r].position + 1 .. Len(log) :
               relay' = [relay EXCEPT ![r].phase = "marked", ![r].open = n]
     ELSE relay' = [relay EXCEPT ![r] = Standby] /\ UNCHANGED cursor
  /\ UNCHANGED <<log, backup, epoch, checkpoint, committed, written, histories, faults>>
(* TransactionSession: commits messages and checkpoint, unless another     *)
(* producer has begun. If the answer is lost, the relay begins anew.       *)
Commit(r) ==
  LET me == relay[r] IN
  /\ me.phase = "marked"
  /\ IF me.epoch = epoch
     THEN /\ committed' = committed \o SubSeq(log, me.position + 1, me.open)
          /\ checkpoint' = [history |-> me.history, number |-> me.number + 1, position |-> me.open]
          /\ \/ /\ relay' = [relay EXCEPT ![r].phase = "works", ![r].position = me.open,
                              ![r].number = me.number + 1, ![r].open = 0]
                /\ UNCHANGED faults
             \/ Fault /\ relay' = [relay EXCEPT ![r] = Standby]
     ELSE relay' = [relay EXCEPT ![r] = Standby] /\ UNCHANGED <<committed, checkpoint, faults>>
  /\ UNCHANGED <<log, cursor, backup, epoch, written, histories>>

Crash(r) ==
  /\ relay[r].phase # "standby" /\ Fault
  /\ relay' = [relay EXCEPT ![r] = Standby]
  /\ UNCHANGED <<log, cursor, backup, epoch, checkpoint, committed, written, histories>>
(* The database is restored from a copy of an earlier moment. Statements   *)
(* of relays that led it before fail (ServerRun.EPOCH).                    *)
BackUp ==
  /\ Restores /\ backup = <<>>
  /\ backup' = <<[log |-> log, cursor |-> cursor]>>
  /\ UNCHANGED <<log, cursor, epoch, checkpoint, committed, relay, written, histories, faults>>
Restore ==
  /\ backup # <<>> /\ cursor.run = 0
  /\ log' = backup[1].log
  /\ cursor' = [backup[1].cursor EXCEPT !.run = 1]
  /\ relay' = [r \in Relays |-> Standby]
  /\ UNCHANGED <<backup, epoch, checkpoint, committed, written, histories, faults>>

Next ==
  \/ Write \/ BackUp \/ Restore
  \/ \E r \in Relays : Lead(r) \/ Fence(r) \/ ReadCheckpoint(r) \/ Mark(r) \/ Commit(r) \/ Crash(r)

-----------------------------------------------------------------------------
OnceInOrder == cursor.run = 0 => \A i, j \in DOMAIN committed : i < j => committed[i] < committed[j]
NothingSkipped ==
  /\ \A i \in 1..cursor.position : log[i] \in Range(committed)
  /\ \A r \in Relays : relay[r].phase = "works" =>
       \A i \in 1..relay[r].position : i <= Len(log) => log[i] \in Range(committed)
NothingPhantom == cursor.run = 0 => Range(committed) \subseteq Range(log)
=============================================================================
