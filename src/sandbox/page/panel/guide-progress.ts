import type { Sandbox } from "../../sandbox.ts";
import type { RecordedRequest } from "../../service/start-sandbox-service.ts";
import { objectAt, objectsIn, parseJson, plainText, stringAt, stringsIn } from "../../workspace/json-object.ts";
import type { AppRequest } from "../../workspace/transport/deliveries.ts";
import type { ApiCall } from "../../workspace/workspace-server.ts";
import { type Guide, type GuideStep, guideSteps } from "../wire.ts";
import { isOwnMessage } from "./activity-lines.ts";

/** A successful change and the person's act that caused it. */
interface CausedChange {
  readonly request: RecordedRequest;
  readonly cause: AppRequest;
}

/** The completed steps of the guide. Derived from what happened in the sandbox, not from clicks on the guide. */
export function guideProgress({ workspace, service, seed }: Sandbox): Guide {
  const causeOf = ({ at }: { readonly at: number }) =>
    workspace.appRequests.findLast((each) => causes.has(each.type) && !isOwnMessage(each) && each.sentAt <= at);
  const changes = service.requests.filter(isSuccessfulChange).flatMap((request) => {
    const cause = causeOf(request);
    return cause === undefined ? [] : [{ request, cause }];
  });
  const refused = [
    ...workspace.appRequests.filter(({ answer }) => hasRefusalMark(answer)),
    ...workspace.calls.filter((call) => isSuccessful(call) && isRefusal(call)).flatMap((call) => causeOf(call) ?? []),
  ];
  const done = guideSteps.filter((step) => isStepDone[step](changes, refused));
  const requests = workspace.calls.filter(
    (call) => call.method === "chat.postMessage" && isSuccessful(call) && isApprovalRequest(call),
  );
  const openRequest = requests.findLast((call) => isOpen(call, workspace.calls));
  const channel = seed.channels.find(({ id }) => id === openRequest?.arguments.channel);
  const isDoneWithoutApproval =
    requests.length === 0 && changes.some(({ request }) => request.operation === "RemoveUserMfa");
  return { done, approvalChannel: channel?.name ?? null, isDoneWithoutApproval };
}

const lines: ReadonlySet<string> = new Set(["command", "app_mention", "message"]);
const causes: ReadonlySet<string> = new Set([...lines, "block_actions", "view_submission"]);

function isSuccessfulChange({ method, status }: RecordedRequest): boolean {
  return method !== "GET" && status !== undefined && status < 300;
}

const isStepDone: Readonly<
  Record<GuideStep, (changes: readonly CausedChange[], refused: readonly AppRequest[]) => boolean>
> = {
  line: (changes) => changes.some(({ request, cause }) => lines.has(cause.type) && excludedBy(request).length >= 2),
  form: (changes) =>
    changes.some(({ request, cause }) => cause.type === "view_submission" && excludedBy(request).length > 0),
  // Denying another person's request gets an answer with the same emoji.
  refused: (_, refused) => refused.some((cause) => !isAbout(cause, /^deny\b/i)),
  approved: (changes) => changes.some(({ cause }) => isAbout(cause, /^approve\b/i)),
  warned: (changes) =>
    changes.some(({ request, cause }) => excludedBy(request).length > 0 && isAbout(cause, /^tonight$/i)),
  undone: (changes) => changes.some(({ cause }) => isAbout(cause, /^undo\b/i)),
};

function excludedBy({ operation, body }: RecordedRequest): readonly string[] {
  return operation === "CreateActionExclusion" ? stringsIn(objectAt(body).resourceIds) : [];
}

/** Whether the typed text, the pressed button or the submitted form's title matches. */
function isAbout({ type, payload }: AppRequest, words: RegExp): boolean {
  const { text: typed = objectAt(payload.event).text } = payload;
  if (lines.has(type)) return words.test((stringAt(typed) ?? "").replace(/^<@\w+>\s*/, ""));
  if (type === "view_submission") return words.test(plainText(objectAt(payload.view).title));
  return objectsIn(payload.actions).some(({ text }) => words.test(plainText(text)));
}

function isSuccessful({ status, answer }: ApiCall): boolean {
  return status === 200 && (answer === "ok" || objectAt(answer).ok === true);
}

/** Whether the message is a card that waits for approval. */
function isApprovalRequest({ arguments: sent }: ApiCall): boolean {
  return buttonsIn(sent).some((text) => /^approve\b/i.test(text));
}

/** Whether the card is still undecided. */
function isOpen({ answer }: ApiCall, calls: readonly ApiCall[]): boolean {
  const { ts } = objectAt(answer);
  return !calls.some(
    (call) =>
      call.method === "chat.update" && call.arguments.ts === ts && isSuccessful(call) && !isApprovalRequest(call),
  );
}

function isRefusal({ method, arguments: sent }: ApiCall): boolean {
  return (method === "response_url" || method === "chat.postEphemeral") && hasRefusalMark(sent);
}

/** Curfew marks a refusal with this emoji. */
const hasRefusalMark = (sent: unknown): boolean => JSON.stringify(sent).includes(":no_entry:");

function buttonsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(buttonsIn);
  // In a form-encoded call, the blocks are JSON text.
  if (typeof value === "string") return value.startsWith("[") ? buttonsIn(parseJson(value)) : [];
  const object = objectAt(value);
  return object.type === "button" ? [plainText(object.text)] : Object.values(object).flatMap(buttonsIn);
}
