import { type Change, type ChangeState, endSetBy, isOver } from "../changes/change.ts";
import type { ReplyDetail } from "../slack/listeners/request-context.ts";
import type { Message } from "../slack/messages/message.ts";
import type { Outcome } from "../slack/messages/outcome-message.ts";
import { choicesOn } from "../slack/messages/plain-text.ts";
import { type LineAnswer, type Problem, type ProblemKind, problemKinds } from "./schemas.ts";

/** An answer over HTTP. */
export interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** In seconds: for what is over in a moment. */
const soon = "2";

export function problemAnswer(kind: ProblemKind, detail: string, more: Partial<Problem> = {}): Answer {
  const [status, title] = problemKinds[kind];
  const body: Problem = { type: `urn:curfew:${kind}`, title, status, detail, ...more };
  return { status, body, headers: kind === "not-now" ? { "retry-after": soon } : undefined };
}

export function tooManyAnswer(waitMs: number): Answer {
  const waitS = Math.max(1, Math.ceil(waitMs / 1000));
  const detail = `That's a lot within one minute. Nothing was done. Try again in ${waitS} s.`;
  return { ...problemAnswer("too-many", detail), headers: { "retry-after": String(waitS) } };
}

/** The answer to a line. `text`: the message in plain words. */
export function answerTo(message: Message, text: string, detail: ReplyDetail): Answer {
  switch (detail.kind) {
    case "outcome":
      return outcomeAnswer(detail.outcome, message, text);
    case "question": {
      const { missing, problems, confirm } = detail;
      const choices = choicesOn(message);
      return problemAnswer("question", text, {
        missing: missing?.length ? [...missing] : undefined,
        problems: problems && Object.keys(problems).length > 0 ? problems : undefined,
        confirm,
        choices: choices.length > 0 ? [...choices] : undefined,
      });
    }
    case "taken-over":
      return problemAnswer("not-now", text);
    case "refused":
    case "not-now":
    case "not-done":
    case "error":
      return problemAnswer(detail.kind, text);
  }
}

function outcomeAnswer(outcome: Outcome, message: Message, text: string): Answer {
  switch (outcome.kind) {
    case "answered":
      return ok({ outcome: "answered", message: text });
    case "refused":
      return problemAnswer("refused", text);
    case "invalid":
      if (outcome.problem.met) return ok({ outcome: "answered", ...metFacts(outcome.problem.met), message: text });
      return answerTo(message, text, { kind: "question", problems: problemsOf(outcome.problem) });
    case "not-recorded":
      return problemAnswer("not-now", text);
    case "decided":
      return ok({ outcome: outcome.change.state, change: outcome.change.id, message: text });
    case "known":
      return ok(stateOf(outcome.change, text));
    case "overtaken":
    case "still-unknown":
      return notDone("not-done", outcome.change, text);
    case "repeated":
    case "already-requested":
    case "settled":
    case "asked":
    case "planned":
    case "outcome-not-recorded":
      return changeAnswer(outcome.change, text);
  }
}

/** The answer to who asked for the change: only what was done, or is planned, is a success. */
export function changeAnswer(change: Change, text: string): Answer {
  const { state, id } = change;
  if (!isOver(state) && state !== "planned")
    return { status: 202, body: stateOf(change, text), headers: { location: locationOf(id) } };
  const kind = failureOf(state);
  return kind ? notDone(kind, change, text) : ok(stateOf(change, text));
}

function notDone(kind: ProblemKind, change: Change, text: string): Answer {
  const { message, ...facts } = stateOf(change, text);
  return problemAnswer(kind, message, { ...facts, outcome: change.state });
}

type Invalid = Extract<Outcome, { readonly kind: "invalid" }>;

const problemsOf = ({ field, problem }: Invalid["problem"]): Readonly<Record<string, string>> =>
  field === undefined ? {} : { [field]: problem };

function failureOf(state: ChangeState): ProblemKind | undefined {
  if (state === "failed" || state === "unknown" || state === "partly") return "not-done";
  return state === "denied" || state === "expired" || state === "withdrawn" ? "refused" : undefined;
}

const metFacts = ({ exclusion, endsAt }: NonNullable<Invalid["problem"]["met"]>) => ({
  ...(exclusion === undefined ? {} : { exclusion }),
  ...(endsAt === undefined ? {} : { endsAt: new Date(endsAt).toISOString() }),
});

const ok = (body: LineAnswer): Answer => ({ status: 200, body });

export const locationOf = (changeId: string): string => `/v1/changes/${changeId}`;

/** A change as it is. */
export function stateOf(change: Change, message: string): LineAnswer {
  const { id, state, subjectKind, subjectId } = change;
  const endsAt = endSetBy(change);
  return {
    ...{ outcome: state, change: id },
    ...(subjectKind === "exclusion" && subjectId !== null ? { exclusion: subjectId } : {}),
    ...(endsAt === undefined ? {} : { endsAt: new Date(endsAt).toISOString() }),
    message,
  };
}
