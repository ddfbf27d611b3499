import type { Selectable } from "kysely";
import type { Pace } from "../../changes/outbox-message.ts";
import type { OutboxTable } from "../db/database.ts";

type Row = Selectable<OutboxTable>;
type NewRow = Pick<Row, "kind" | "recipient" | "due_at" | "queued_at">;

interface Recipient {
  messages: number;
  /** Nothing can be claimed before. */
  at: number;
}

export interface NextTime {
  readonly recipient: string;
  readonly at: number;
}

/** A mistake here, or a clock that was set, delays no message for longer. */
const maxAgeMs = 60_000;
const maxSentKept = 1000;

/**
 * What the one process that sends knows of the outbox: for whom messages wait, and when somebody was last sent one. So it looks only
 * when there is something, and claims a message with its record when nothing stands before it.
 */
export class Waiting {
  readonly #now: () => number;
  readonly #recipients = new Map<string, Recipient>();
  readonly #sentAt = new Map<string, number>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #events = 0;
  #claimer: { readonly leaseMs: number; readonly pace: Pace; readonly since: number } | undefined;
  #handed: readonly Row[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** When a message can be claimed, at the earliest; undefined when that must be looked up. */
  get nextAt(): number | undefined {
    if (Math.abs(this.#now() - this.#lookedAt) >= maxAgeMs) return undefined;
    return Math.min(this.#lookedAt + maxAgeMs, ...[...this.#recipients.values()].map(({ at }) => at));
  }

  /** Looks everything up, in vain if something happens in the meantime. */
  async look(read: () => Promise<readonly NextTime[]>, count: () => Promise<readonly Count[]>): Promise<void> {
    this.forget();
    const [events, lookedAt] = [this.#events, this.#now()];
    const [times, counts] = [await read(), await count()];
    if (events !== this.#events) return;
    const messages = new Map(counts.map((each) => [each.recipient, each.messages]));
    this.#recipients.clear();
    for (const { recipient, at } of times) {
      // A summary stands beside the first message.
      const earlier = this.#recipients.get(recipient)?.at ?? at;
      this.#recipients.set(recipient, { at: Math.min(at, earlier), messages: messages.get(recipient) ?? 1 });
    }
    this.#lookedAt = lookedAt;
  }

  /** Others may have written. */
  forget(): void {
    this.#events += 1;
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  queued(recipient: string, at: number): void {
    this.#events += 1;
    const waiting = this.#recipients.get(recipient);
    this.#recipients.set(recipient, { messages: (waiting?.messages ?? 0) + 1, at: Math.min(at, waiting?.at ?? at) });
  }

  /** Messages of theirs need nothing more; the next, if there is one, not before `at`. */
  done(recipient: string, messages: number, at: number): void {
    this.#events += 1;
    const waiting = this.#recipients.get(recipient);
    if (!waiting) return;
    waiting.messages -= messages;
    waiting.at = Math.min(waiting.at, at);
    if (waiting.messages <= 0) this.#recipients.delete(recipient);
  }

  sent(recipient: string, at: number): void {
    this.done(recipient, 1, at + (this.#claimer?.pace.gapMs ?? 0));
    this.#sentAt.set(recipient, at);
    if (this.#sentAt.size > maxSentKept)
      for (const [each, sentAt] of this.#sentAt) if (sentAt < at - maxAgeMs) this.#sentAt.delete(each);
  }

  /** Whoever claims, claims so. */
  claimsWith(leaseMs: number, pace: Pace): void {
    this.#claimer = { leaseMs, pace, since: this.#claimer?.since ?? this.#now() };
  }

  /** Until when a new message is claimed with its record; undefined if it must wait for others, or for its time. */
  leaseOf({ kind, recipient, due_at, queued_at }: NewRow): number | undefined {
    if (!this.#claimer || this.#lookedAt === Number.NEGATIVE_INFINITY) return undefined;
    const { leaseMs, pace, since } = this.#claimer;
    // Several cards are summarized, and an update waits for others of its card.
    const quietMs = kind === "card" ? Math.max(pace.gapMs, pace.burst.withinMs) : pace.gapMs;
    const isQuiet = (this.#sentAt.get(recipient) ?? since) <= queued_at - quietMs;
    const isFirst = kind !== "update" && due_at <= queued_at && !this.#recipients.has(recipient);
    return isFirst && isQuiet ? queued_at + leaseMs : undefined;
  }

  /** Those claimed with their record. */
  hand(rows: readonly Row[]): void {
    this.#handed = [...this.#handed, ...rows];
  }

  takeHanded(limit: number, now: number): readonly Row[] {
    const halfLeaseMs = (this.#claimer?.leaseMs ?? 0) / 2;
    // What waited for longer is claimed again after its lease.
    const isLeased = ({ due_at }: Row) => due_at - now >= halfLeaseMs;
    const taken = this.#handed.slice(0, limit).filter(isLeased);
    this.#handed = this.#handed.slice(limit);
    return taken;
  }
}

export interface Count {
  readonly recipient: string;
  readonly messages: number;
}
