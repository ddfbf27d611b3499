import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { ChangeStore } from "../changes/ports.ts";
import type { AskedBefore, CallerRequest, CallerRequestStore, Receipt, StoredAnswer } from "../changes/receipts.ts";
import { type Caller, callerId } from "../config/settings.ts";
import type { Logger } from "../observability/log.ts";
import { actorKind } from "../permissions/actor.ts";
import type { Deps } from "../slack/listeners/deps.ts";
import { takeLine } from "../slack/listeners/line/take-line.ts";
import type { ReplyToProgram } from "../slack/listeners/request-context.ts";
import type { Message } from "../slack/messages/message.ts";
import { settledMessage } from "../slack/messages/outcome-message.ts";
import { plainText } from "../slack/messages/plain-text.ts";
import type { Actors } from "../slack/people/actors.ts";
import { within } from "../time/within.ts";
import { type Answer, answerTo, changeAnswer, problemAnswer, stateOf, tooManyAnswer } from "./answer.ts";

export interface TakeRequestPorts {
  readonly store: CallerRequestStore & Pick<ChangeStore, "actedOn" | "find">;
  readonly lines: Deps;
  readonly actors: Pick<Actors, "find">;
  readonly now: () => number;
  readonly log: Logger;
}

export interface LineAsked {
  readonly line: string;
  readonly confirm?: boolean | undefined;
  /** What the caller calls this request, to ask again without doing it twice. */
  readonly key: string;
  readonly arrivedAt: number;
}

/** Below what proxies wait. The line is handled further, and its outcome found by its key. */
const maxAnswerMs = 25_000;
const maxClaimMs = 2000;
const lookEveryMs = 500;

export type TakeRequest = ReturnType<typeof createTakeRequest>;

export function createTakeRequest(ports: TakeRequestPorts) {
  const { store, lines, actors, log } = ports;
  const once = createOnce();
  const asText = (message: Message) => plainText(message, nameFrom(actors));
  const answerOf: (...answered: Parameters<ReplyToProgram>) => Promise<Answer> = async (message, detail) =>
    answerTo(message, await asText(message), detail);
  const keep = (id: string, answer: Answer): Promise<void> =>
    isLasting(answer)
      ? store.answerCallerRequest(id, stored(answer)).catch((error: unknown) => {
          log.warn({ err: error }, "the answer to a caller could not be stored; its key finds the change");
        })
      : Promise.resolve();
  const take = async (caller: Caller, id: string, { line, confirm, arrivedAt }: LineAsked): Promise<Answer> => {
    let answer: Answer | undefined;
    const program: ReplyToProgram = async (...answered) => {
      const [, { kind }] = answered;
      if (kind === "taken-over") return;
      answer = await answerOf(...answered);
      await keep(id, answer);
    };
    const origin = { userId: callerId(caller), channelId: caller.channel, responseUrl: undefined, arrivedAt, program };
    const whole = {
      ...origin,
      text: withoutCommand(line, lines.slashCommand),
      triggerId: undefined,
      key: id,
      isConfirmed: confirm,
    };
    await within(maxAnswerMs, takeLine(lines, whole, { recorded: () => undefined }));
    return answer ?? found(id, arrivedAt + maxAnswerMs);
  };
  /** What another instance answered or recorded, as soon as it has. */
  const found = async (id: string, until: number): Promise<Answer> => {
    for (;;) {
      const earlier = await store.callerRequest(id);
      if (earlier?.answer && earlier.answer.status !== waiting) return again(earlier.answer);
      const change = await store.actedOn(id);
      if (change) return changeAnswer(change, await asText(settledMessage(change)));
      if (performance.now() > until) return underWay;
      await setTimeout(lookEveryMs);
    }
  };
  return {
    /** Does what a line says, once for each key, and says how it came out. */
    ask: async (caller: Caller, asked: LineAsked): Promise<Answer> => {
      const { line, confirm = false, key } = asked;
      const id = `${callerId(caller)}:${hashOf(key)}`;
      const bodyHash = hashOf(JSON.stringify([line, confirm]));
      return once(id, bodyHash, async () => {
        const claimed = await claim(ports, callerId(caller), { id, bodyHash });
        if (!claimed) return notTaken;
        if (claimed === "too-many") return tooManyAnswer(lines.floodGuard.waitMs(callerId(caller)));
        if (claimed.bodyHash !== bodyHash) return otherBody;
        if (claimed.answer && claimed.answer.status !== waiting) return again(claimed.answer);
        // A repeat after 202 gets the current state.
        const change = claimed.answer && (await store.actedOn(id));
        return change ? changeAnswer(change, await asText(settledMessage(change))) : take(caller, id, asked);
      });
    },
    /** A change of this caller as it is. */
    look: async (caller: Caller, changeId: string): Promise<Answer> => {
      const change = await store.find(changeId);
      if (change?.actor.userId !== callerId(caller))
        return problemAnswer("not-found", "You asked for no change with this id. Check the id.");
      return { status: 200, body: stateOf(change, await asText(settledMessage(change))) };
    },
    /** Stores the answer to a request whose caller no longer waits, where its key finds it. */
    replyLater: ({ id, userId }: Pick<Receipt, "id" | "userId">): ReplyToProgram | undefined => {
      if (actorKind(userId) !== "caller") return undefined;
      return async (...answered) => keep(id, await answerOf(...answered));
    },
  };
}

/** Requests with one key at the same time share one answer. */
function createOnce() {
  const running = new Map<string, { readonly bodyHash: string; readonly answer: Promise<Answer> }>();
  return async (id: string, bodyHash: string, work: () => Promise<Answer>): Promise<Answer> => {
    const first = running.get(id);
    if (first) return first.bodyHash === bodyHash ? first.answer : otherBody;
    const answer = work().finally(() => running.delete(id));
    running.set(id, { bodyHash, answer });
    return answer;
  };
}

/** Records a request. A new one is counted before anything is written for it. Undefined if the database does not take it in time. */
function claim(
  { store, lines, now, log }: TakeRequestPorts,
  userId: string,
  request: Pick<CallerRequest, "id" | "bodyHash">,
): Promise<AskedBefore | "too-many" | undefined> {
  const claimed = async () => {
    const earlier = await store.callerRequest(request.id);
    if (earlier) return earlier;
    return lines.floodGuard.allow(userId) ? store.claimCallerRequest({ ...request, receivedAt: now() }) : "too-many";
  };
  const claiming = claimed().catch((error: unknown) => {
    log.warn({ err: error }, "a caller's request was dropped, since the database did not take it");
    return undefined;
  });
  return within(maxClaimMs, claiming);
}

/** An answer without a name is better than none. */
const nameFrom =
  (actors: TakeRequestPorts["actors"]) =>
  (id: string): Promise<string | undefined> =>
    actors.find(id).then(
      (found) => found?.name,
      () => undefined,
    );

/** Answers show lines with the slash command. */
const withoutCommand = (line: string, slashCommand: string): string =>
  line.startsWith(`${slashCommand} `) ? line.slice(slashCommand.length + 1) : line;

const waiting = 202;

const underWay = problemAnswer(
  "not-now",
  "It is still under way. Send it again with the same Idempotency-Key to see the outcome.",
);

const otherBody = problemAnswer(
  "other-body",
  "Another line came with this Idempotency-Key before. Nothing was done now. Use a new key for each request.",
);

const notTaken = problemAnswer(
  "not-now",
  "Nothing was done: Curfew's database did not take your request in time. Send it again in a moment.",
);

/** What may come out differently in a moment is not kept: its repeat is done. */
const isLasting = ({ status }: Answer): boolean => ![429, 500, 503].includes(status);

const stored = ({ status, body, headers }: Answer): StoredAnswer => ({
  ...{ status, body: JSON.stringify(body) },
  location: headers?.location,
});

const again = ({ status, body, location }: StoredAnswer): Answer => ({
  ...{ status, body: { ...JSON.parse(body) } },
  headers: { "idempotent-replayed": "true", ...(location === undefined ? {} : { location }) },
});

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
