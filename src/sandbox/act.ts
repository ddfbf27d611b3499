import { notUnderstood, readTime } from "../language/read-time.ts";
import { messagesSeen, type Sandbox, seedPerson, settlesWithin } from "./sandbox.ts";
import { type ButtonHint, fieldNamed, pressables } from "./workspace/driver/form-fields.ts";
import type { OpenView } from "./workspace/driver/open-view.ts";
import type { Place, SubmitOutcome } from "./workspace/driver/person.ts";
import type { Typed } from "./workspace/driver/typed-value.ts";
import { type JsonObject, objectAt, plainText } from "./workspace/json-object.ts";
import type { DeliveryOutcome } from "./workspace/live-workspace.ts";

/** One thing a person does in their Slack client, at the prompt or by a script. */
export type Act =
  | { readonly kind: "type"; readonly text: string; readonly place: string }
  | { readonly kind: "fill"; readonly values: Readonly<Record<string, Typed>> }
  | { readonly kind: "suggest"; readonly label: string; readonly query: string }
  | { readonly kind: "submit" }
  | { readonly kind: "cancel" }
  /** `confirms` answers the confirmation dialog, if there is one. */
  | { readonly kind: "press"; readonly button: string; readonly nth: number; readonly confirms: boolean };

/** The immediate result. Later effects show on the screen. */
export type ActOutcome =
  | { readonly kind: "done"; readonly note?: string; readonly options?: readonly string[] }
  /** The client does not allow it, or Slack or the bot rejected it. */
  | { readonly kind: "refused"; readonly reason: string };

const maxWaitMs = 10_000;

/** Performs the act and waits until the bot is idle. The wait is bounded, because faults can make the service slow. */
export async function performAct(sandbox: Sandbox, handle: string, act: Act): Promise<ActOutcome> {
  const outcome = await attempt(sandbox, handle, act).catch(
    (error: unknown): ActOutcome => ({
      kind: "refused",
      reason: error instanceof Error ? error.message : String(error),
    }),
  );
  const isSettled = await settlesWithin(sandbox.idle(), maxWaitMs);
  return isSettled || outcome.kind === "refused" ? outcome : { ...outcome, note: "Curfew is still working on it." };
}

async function attempt(sandbox: Sandbox, handle: string, act: Act): Promise<ActOutcome> {
  const person = sandbox.workspace.as(handle);
  switch (act.kind) {
    case "type":
      return delivered(await person.type(act.text, act.place));
    case "fill":
      return fill(sandbox, handle, act.values);
    case "suggest": {
      const options = await person.suggest(labelIn(openView(sandbox, handle), act.label), act.query);
      return { kind: "done", options: options.map((option) => option.text) };
    }
    case "submit":
      return submitted(await person.submit());
    case "cancel":
      openView(sandbox, handle);
      await person.cancel();
      return { kind: "done" };
    case "press": {
      const { text, place, hint, question } = findPress(sandbox, handle, act.button, act.nth);
      return delivered(await person.press(text, place, { ...hint, deny: question !== "" && !act.confirms }));
    }
    default:
      return act satisfies never;
  }
}

function delivered(outcome: DeliveryOutcome): ActOutcome {
  return outcome.ok ? { kind: "done" } : { kind: "refused", reason: `Slack shows the error "${outcome.shown}".` };
}

function submitted(outcome: SubmitOutcome): ActOutcome {
  if (outcome.kind === "failed") return delivered({ ok: false, shown: outcome.shown });
  if (outcome.kind === "errors") return { kind: "done", note: "The form has errors. Correct them and submit again." };
  if (outcome.kind !== "blocked") return { kind: "done" };
  const complaints = Object.entries(outcome.errors).map(([label, message]) => `${label}: ${message}`);
  return { kind: "refused", reason: complaints.join("\n") };
}

function openView(sandbox: Sandbox, handle: string): OpenView {
  const view = sandbox.workspace.as(handle).openView();
  if (view === undefined) throw new Error(`${handle} has no form open.`);
  return view;
}

/** The form's label for one typed in any case, or for a prefix of exactly one label. */
function labelIn({ fields }: OpenView, typed: string): string {
  const wanted = typed.trim().toLowerCase();
  const like = fields.filter((label) => label.toLowerCase().startsWith(wanted));
  const exact = like.find((label) => label.length === wanted.length);
  return exact ?? (like.length === 1 && like[0] !== undefined ? like[0] : typed.trim());
}

async function fill(sandbox: Sandbox, handle: string, values: Readonly<Record<string, Typed>>): Promise<ActOutcome> {
  const moment = { now: sandbox.clock.now(), zone: seedPerson(sandbox, handle).tz ?? "UTC" };
  for (const [typedLabel, typed] of Object.entries(values)) {
    const view = openView(sandbox, handle);
    const label = labelIn(view, typedLabel);
    const { element } = fieldNamed(view.blocks, label);
    const value = typeof typed === "string" ? fieldValue(element, typed, moment) : typed;
    await sandbox.workspace.as(handle).fill({ [label]: value });
  }
  return { kind: "done" };
}

interface Moment {
  readonly now: number;
  readonly zone: string;
}

/** Converts typed text to a field's value: a list from commas, a moment from words, null from an empty text. */
export function fieldValue({ type }: JsonObject, text: string, moment: Moment): Typed {
  if (text.trim() === "") return null;
  if (type === "datetimepicker") return pickedSeconds(text, moment);
  if (type === "multi_external_select" || type === "checkboxes") return text.split(",").map((part) => part.trim());
  return text;
}

/** Reads `2h`, `fri 18:00` or `2026-11-23 09:00`. Slack's picker has whole minutes. */
function pickedSeconds(text: string, { now, zone }: Moment): number {
  const words = text.trim().split(/\s+/);
  const context = { now, zone, dayZone: zone, dayStarts: "08:00", dayEnds: "18:00" };
  const length = readTime(words, context);
  if (length?.kind === "length") return Math.ceil((now + length.ms) / 60_000) * 60;
  const end = readTime(["until", ...words.filter((word) => !/^(?:for|until)$/i.test(word))], context);
  if (end?.kind === "moment") return Math.floor(end.at / 1000);
  throw new Error(end && "reason" in end ? end.reason : notUnderstood(words));
}

/** A button or an overflow menu entry on a person's screen. */
export interface Found {
  readonly text: string;
  readonly place: Place;
  readonly hint: ButtonHint;
  /** The text of the confirmation dialog; empty when there is none. */
  readonly question: string;
}

/**
 * Finds the button or menu entry with this text in the open form, else in the newest message that has one. The dots at its end may be
 * left out, since few keyboards have them. `nth` counts on through older messages. Throws when there is none.
 */
export function findPress(sandbox: Sandbox, handle: string, text: string, nth: number): Found {
  const view = sandbox.workspace.as(handle).openView();
  const messages = messagesSeen(sandbox, handle).toReversed();
  const all = [
    ...pressablesOn(view?.blocks ?? [], "view"),
    ...messages.flatMap(({ stored }) => pressablesOn(stored.blocks, stored)),
  ];
  const wanted = text.trim().toLowerCase();
  const exact = all.filter((each) => each.text.toLowerCase() === wanted);
  const found = exact.length > 0 ? exact : all.filter((each) => withoutDots(each.text) === withoutDots(text));
  const pressable = found[nth - 1];
  if (pressable) return pressable;
  if (found.length > 0) throw new Error(`There are only ${found.length} buttons "${text}"; use a smaller number.`);
  const names = [...new Set(all.map((each) => `"${each.text}"`))].join(", ");
  throw new Error(`There is no button "${text}". Buttons on the screen: ${names || "none"}.`);
}

const withoutDots = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/(?:…|\.{3})$/, "");

function pressablesOn(blocks: readonly JsonObject[], place: Place): readonly Found[] {
  return pressables(blocks).map(({ text, actionId, value, element }) => {
    const { title, text: asked } = objectAt(element.confirm);
    const question = [title, asked].map(plainText).join(" ").trim();
    return { text, place, hint: { actionId, ...(value === undefined ? {} : { value }) }, question };
  });
}
