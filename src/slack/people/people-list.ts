import { setTimeout } from "node:timers/promises";
import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import type { Logger } from "../../observability/log.ts";
import { within } from "../../time/within.ts";
import { isOfSlack, slackRefusal } from "../checks/slack-refusal.ts";
import type { teamsToAsk } from "./group-members.ts";
import type { Dated } from "./look-up.ts";
import { pages } from "./pages.ts";
import { type SharedList, seal, unseal, unsharedList } from "./shared-list.ts";

/** Somebody as a page shows them. */
interface Seen {
  readonly id: string;
  readonly deleted?: boolean | null | undefined;
  readonly is_restricted?: boolean | null | undefined;
  readonly is_ultra_restricted?: boolean | null | undefined;
}

/** What may differ between the workspaces of an organization. */
const standingOf = (one: Seen) => [one.deleted, one.is_restricted, one.is_ultra_restricted].map(Boolean).join();

export interface PeopleListOptions<V extends Seen> {
  readonly client: WebClient;
  readonly teams: () => ReturnType<typeof teamsToAsk>;
  /** Gives nothing for who cannot be read. */
  readonly read: (member: unknown) => V | undefined;
  /** Called with who is deactivated, or a guest, in one workspace of an organization and perhaps not in another: Slack is asked about them alone. */
  readonly onGone: (id: string) => void;
  /** Where other instances are, and what only they know. */
  readonly shared?: { readonly list: SharedList; readonly secret: () => string } | undefined;
  /** A monotonic clock. */
  readonly elapsedMs: () => number;
  readonly log: Logger;
}

/** Slack asks for less than 1,000 (PLATFORM.md §12.5). */
const pageSize = 999;
/** As old as an answer may be for an exclusion (look-up.ts). */
const countsForMs = 60_000;
/** Slack allows some 20 pages a minute (PLATFORM.md §11.3, tier 2). Whoever is on a later one is asked about alone. */
const maxPages = 10;
const pauseMs = 30_000;
const longestReadingMs = 10_000;
/** Somebody else is reading: how often to look whether that has ended. */
const lookAgainMs = 250;
const maxLooks = 5;
/** Between these, others may run. */
const atOnce = 100;
const sealedPeople = z.array(z.unknown());

/**
 * The people of the workspace, as pages of its list show them. Each answer counts from when its page was asked for. Pages are in no order, so
 * somebody may be missing: the list says who was seen, never who is not there.
 *
 * Of several instances one reads. The others count what it leaves for them from their last look at which that reading had not begun: no
 * clock of another machine decides how old an answer is.
 */
export function createPeopleList<V extends Seen>(options: PeopleListOptions<V>) {
  const { elapsedMs, log } = options;
  const { list: shared, secret } = options.shared ?? { list: unsharedList(), secret: () => "" };
  const people = createSeenPeople(options);
  let seen = { begun: -1, at: Number.NEGATIVE_INFINITY };
  let beganAt = Number.NEGATIVE_INFINITY;
  let taken = -1;
  const look = async () => {
    const at = elapsedMs();
    const found = await shared.look();
    // A row that went back, by a failover or a restore, says nothing about when its reading was.
    if (found.begun !== seen.begun) beganAt = found.begun > seen.begun ? seen.at : Number.NEGATIVE_INFINITY;
    seen = { begun: found.begun, at };
    return found;
  };
  const readAll = async (reading: number, others: boolean): Promise<void> => {
    taken = reading;
    await readPages(options, people.keep);
    if (others) await shared.put(reading, await seal(people.seenSince(beganAt), secret(), reading));
  };
  const takeOver = async (reading: number): Promise<void> => {
    taken = reading;
    const text = await shared.take(reading);
    if (text) await people.keep(sealedPeople.parse(await unseal(text, secret(), reading)), beganAt);
  };
  /** Whether somebody else is still reading. */
  const bringUpToDate = async (): Promise<boolean> => {
    for (let looks = 0; looks < maxLooks; looks++) {
      const { begun, done, others } = await look();
      if (done === begun && done !== taken) await takeOver(done);
      const at = elapsedMs();
      if (at - beganAt >= pauseMs) {
        if (!(await shared.begin(begun))) continue;
        [seen, beganAt] = [{ begun: begun + 1, at }, at];
        await readAll(begun + 1, others);
        return false;
      }
      // Not for one that has failed or stopped.
      if (done >= begun || taken === begun || at - beganAt > longestReadingMs) return false;
      await setTimeout(lookAgainMs, undefined, { ref: false });
    }
    return true;
  };
  let working: Promise<void> | undefined;
  let waitedForSince: number | undefined;
  let isWarned = false;
  /** What does not pass by itself, such as a list that needs a workspace's name, or another token's seal. */
  const warnOnce = (err: unknown): void => {
    const passes = isOfSlack(err) && slackRefusal(err).kind !== "refused";
    log[passes || isWarned ? "debug" : "warn"]({ err }, "could not read the list of people: Slack is asked about each");
    isWarned ||= !passes;
  };
  return {
    of: people.of,
    forget: people.forget,
    /**
     * Reads all pages, unless that was begun a moment ago. Callers share one reading, and wait for it until `waitMs` after the first of them
     * began to. Never throws: who was not read is asked about alone.
     */
    refresh: (waitMs?: number): Promise<void> => {
      waitedForSince ??= performance.now();
      const waitedMs = performance.now() - waitedForSince;
      working ??= bringUpToDate()
        .catch((err: unknown) => {
          warnOnce(err);
          return false;
        })
        .then((goesOn) => {
          working = undefined;
          if (!goesOn) waitedForSince = undefined;
        });
      return waitMs === undefined ? working : within(Math.max(0, waitMs - waitedMs), working);
    },
  };
}

async function readPages<V extends Seen>(
  { client, teams, elapsedMs }: PeopleListOptions<V>,
  keep: (members: readonly unknown[], at: number, standings: Map<string, string>) => Promise<void>,
): Promise<void> {
  const standings = new Map<string, string>();
  let count = 0;
  for (const team of teams()) {
    let at = elapsedMs();
    const read = (cursor: { readonly cursor?: string }) => {
      at = elapsedMs();
      return client.users.list({ limit: pageSize, ...team, ...cursor });
    };
    for await (const { members = [] } of pages(read)) {
      await keep(members, at, standings);
      if (++count === maxPages) return;
    }
  }
}

function createSeenPeople<V extends Seen>({ read, onGone, elapsedMs }: PeopleListOptions<V>) {
  const people = new Map<string, Dated<V>>();
  const changedAt = new Map<string, number>();
  const counts = (at: number) => elapsedMs() - at < countsForMs;
  return {
    /** `standings`: of those on earlier pages of the same reading. */
    keep: async (members: readonly unknown[], at: number, standings = new Map<string, string>()): Promise<void> => {
      for (const [id, known] of people) if (!counts(known.at)) people.delete(id);
      for (const [id, since] of changedAt) if (!counts(since)) changedAt.delete(id);
      for (const [index, member] of members.entries()) {
        if (index % atOnce === atOnce - 1) await new Promise(setImmediate);
        const value = read(member);
        if (!value) continue;
        const { id } = value;
        const standing = standings.get(id) ?? standingOf(value);
        standings.set(id, standing);
        const isUnequal = standing !== standingOf(value);
        // The next reading would show one of the two first.
        if (isUnequal) changedAt.set(id, at + countsForMs);
        else if (at <= Math.max(changedAt.get(id) ?? -Infinity, people.get(id)?.at ?? -Infinity)) continue;
        people.delete(id);
        if (value.deleted || isUnequal) onGone(id);
        else people.set(id, { at, value });
      }
    },
    /** What a page said of this person within the last minute. */
    of: (id: string): Dated<V> | undefined => {
      const found = people.get(id);
      return found && counts(found.at) ? found : undefined;
    },
    seenSince: (since: number): readonly V[] =>
      [...people.values()].filter(({ at }) => at >= since).map(({ value }) => value),
    /** Slack said that this person changed: no page that was asked for before counts. */
    forget: (id: string): void => {
      people.delete(id);
      changedAt.set(id, elapsedMs());
    },
  };
}
