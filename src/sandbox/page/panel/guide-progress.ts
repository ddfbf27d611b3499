import type { Sandbox } from "../../sandbox.ts";
import type { RecordedRequest } from "../../service/start-sandbox-service.ts";
import type { AppRequest } from "../../workspace/deliveries.ts";
import { objectAt, objectsIn, parseJson, plainText, stringAt, stringsIn } from "../../workspace/json-object.ts";
import type { ApiCall } from "../../workspace/workspace-server.ts";
import { type Guide, type GuideStep, guideSteps } from "../wire.ts";

/** A change that the service took, and what a person did just before. */
interface Deed {
  readonly request: RecordedRequest;
  readonly cause: AppRequest;
}

/** Which of the newcomer's steps have been taken, by whoever and in whatever way: told by what happened, not by clicks on the guide. */
export function guideProgress({ workspace, service, seed }: Sandbox): Guide {
  const causeOf = ({ at }: { readonly at: number }) =>
    workspace.appRequests.findLast((each) => causes.has(each.type) && each.sentAt <= at);
  const deeds = service.requests.filter(isTakenChange).flatMap((request) => {
    const cause = causeOf(request);
    return cause === undefined ? [] : [{ request, cause }];
  });
  const refused = workspace.calls.filter((call) => isTaken(call) && isRefusal(call)).map(causeOf);
  const done = guideSteps.filter((step) => signs[step](deeds, refused));
  const questions = workspace.calls.filter(
    (call) => call.method === "chat.postMessage" && isTaken(call) && isQuestion(call),
  );
  const asked = questions.findLast((call) => isOpen(call, workspace.calls));
  const channel = seed.channels.find(({ id }) => id === asked?.arguments.channel);
  const isDoneUnasked = questions.length === 0 && deeds.some(({ request }) => request.operation === "RemoveUserMfa");
  return { done, askedIn: channel?.name ?? null, isDoneUnasked };
}

const causes: ReadonlySet<string> = new Set(["command", "block_actions", "view_submission"]);

function isTakenChange({ method, status }: RecordedRequest): boolean {
  return method !== "GET" && status !== undefined && status < 300;
}

const signs: Readonly<
  Record<GuideStep, (deeds: readonly Deed[], refused: readonly (AppRequest | undefined)[]) => boolean>
> = {
  line: (deeds) => deeds.some(({ request, cause }) => cause.type === "command" && excludedBy(request).length >= 2),
  form: (deeds) =>
    deeds.some(({ request, cause }) => cause.type === "view_submission" && excludedBy(request).length > 0),
  // Who denies what another asked for is answered in the same colours.
  refused: (_, refused) => refused.some((cause) => cause !== undefined && !isAbout(cause, /^deny\b/i)),
  approved: (deeds) => deeds.some(({ cause }) => isAbout(cause, /^approve\b/i)),
  undone: (deeds) => deeds.some(({ cause }) => isAbout(cause, /^undo\b/i)),
};

function excludedBy({ operation, body }: RecordedRequest): readonly string[] {
  return operation === "CreateActionExclusion" ? stringsIn(objectAt(body).resourceIds) : [];
}

/** Whether the words typed, the button pressed or the form sent begin so. */
function isAbout({ type, payload }: AppRequest, words: RegExp): boolean {
  if (type === "command") return words.test(stringAt(payload.text) ?? "");
  if (type === "view_submission") return words.test(plainText(objectAt(payload.view).title));
  return objectsIn(payload.actions).some(({ text }) => words.test(plainText(text)));
}

function isTaken({ status, answer }: ApiCall): boolean {
  return status === 200 && (answer === "ok" || objectAt(answer).ok === true);
}

/** A card that waits for somebody's yes. */
function isQuestion({ arguments: sent }: ApiCall): boolean {
  return buttonsIn(sent).some((text) => /^approve\b/i.test(text));
}

/** Whether a card still asks for it: nobody approved, denied or withdrew it. */
function isOpen({ answer }: ApiCall, calls: readonly ApiCall[]): boolean {
  const { ts } = objectAt(answer);
  return !calls.some(
    (call) => call.method === "chat.update" && call.arguments.ts === ts && isTaken(call) && !isQuestion(call),
  );
}

/** How Curfew marks what it does not let somebody do. */
function isRefusal({ method, arguments: sent }: ApiCall): boolean {
  const isToOne = method === "response_url" || method === "chat.postEphemeral";
  return isToOne && JSON.stringify(sent).includes(":no_entry:");
}

function buttonsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(buttonsIn);
  // A form carries its blocks as JSON.
  if (typeof value === "string") return value.startsWith("[") ? buttonsIn(parseJson(value)) : [];
  const object = objectAt(value);
  return object.type === "button" ? [plainText(object.text)] : Object.values(object).flatMap(buttonsIn);
}
