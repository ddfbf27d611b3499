import { accountOf } from "../service/account-ids.ts";
import type { Action } from "../service/resources.ts";
import type { Sliced } from "../time/slices.ts";
import { changeIn } from "./action-differences.ts";
import { lastRun } from "./last-run.ts";
import { type ActionEvent, factsOf, type WatchedAction } from "./watched-action.ts";

export interface Comparison {
  /** All listed actions as they are now. */
  readonly present: ReadonlyMap<string, WatchedAction>;
  /** Those that differ from the last poll. */
  readonly changed: readonly WatchedAction[];
  /** The ids of those that were deleted. */
  readonly gone: readonly string[];
  readonly events: readonly ActionEvent[];
}

/** Within this time a poll may get the answer of the one before again (read-service.ts). */
const sameAnswerMs = 10_000;

const actionsAtOnce = 200;

/** Compares the listed actions with those of the last poll. `now` in epoch ms; `missing`: the accounts that did not answer. */
export function* compareActions(
  last: ReadonlyMap<string, WatchedAction>,
  listed: readonly Action[],
  now: number,
  missing: readonly string[] = [],
): Sliced<Comparison> {
  const present = new Map<string, WatchedAction>();
  const changed: WatchedAction[] = [];
  const gone: string[] = [];
  const events: ActionEvent[] = [];
  // The first poll of an account finds every action new.
  const watched = new Set([...last.keys()].map(accountOf));
  for (const action of listed) {
    if (present.has(action.actionId)) continue;
    if (present.size % actionsAtOnce === 0) yield;
    const before = last.get(action.actionId);
    const seen = asSeen(action, before, now);
    const isFirst = before === undefined && !watched.has(accountOf(action.actionId));
    const event = seen === before || isFirst ? undefined : eventOf(before, seen);
    const change = event && changeIn(event, now);
    const after = change ? { ...seen, change } : seen;
    present.set(after.id, after);
    if (after !== before) changed.push(after);
    if (event) events.push({ ...event, after });
  }
  for (const before of last.values()) {
    if (present.has(before.id)) continue;
    if (missing.includes(accountOf(before.id))) {
      present.set(before.id, before);
    } else if (before.missingSince === null) {
      const missing = { ...before, missingSince: now };
      present.set(missing.id, missing);
      changed.push(missing);
    } else if (Math.abs(now - before.missingSince) <= sameAnswerMs) {
      present.set(before.id, before);
    } else {
      gone.push(before.id);
      events.push({ kind: "deleted", before });
    }
  }
  return { present, changed, gone, events };
}

type SeenEvent = Exclude<ActionEvent, { readonly kind: "deleted" }>;

function eventOf(before: WatchedAction | undefined, after: WatchedAction): SeenEvent | undefined {
  if (!before) return { kind: "created", after };
  // Without a change of the action itself, its next run is moved by time alone: it was due, or a clock was set.
  return isSameJson(before.facts, after.facts) ? undefined : { kind: "changed", before, after };
}

/** The same object when nothing differs. */
function asSeen(action: Action, before: WatchedAction | undefined, now: number): WatchedAction {
  const facts = factsOf(action);
  const at = Date.parse(action.nextExecutionDate ?? "");
  const nextAt = Number.isNaN(at) ? null : at;
  if (!before) return { id: action.actionId, facts, nextAt, lastAt: null, missingSince: null };
  if (before.missingSince === null && before.nextAt === nextAt && isSameJson(before.facts, facts)) return before;
  return { ...before, facts, nextAt, lastAt: lastRun(before, { facts, nextAt }, now), missingSince: null };
}

/** Whether two values of JSON are equal. For thousands of them it is many times faster than Node's comparison. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  // What is undefined is not there: JSON has no word for it.
  const values = Object.entries(one).filter(isThere);
  const others = Object.entries(other).filter(isThere);
  if (values.length !== others.length) return false;
  // Mostly both have their fields in the same order.
  return values.every(([name, value], place) => {
    const same = others[place]?.[0] === name ? others[place] : others.find(([otherName]) => otherName === name);
    return same !== undefined && isSameJson(value, same[1]);
  });
}

const isThere = ([, value]: readonly [string, unknown]): boolean => value !== undefined;
