import { fieldValueFromText } from "./field-value-from-text.ts";
import { findPress } from "./find-press.ts";
import { type Sandbox, seedPerson, settlesWithin } from "./sandbox.ts";
import { fieldNamed } from "./workspace/driver/form-fields.ts";
import type { OpenView } from "./workspace/driver/open-view.ts";
import type { SubmitOutcome } from "./workspace/driver/person.ts";
import type { Typed } from "./workspace/driver/typed-value.ts";
import type { DeliveryOutcome } from "./workspace/interactions/exchange.ts";

/** One thing a person does in their Slack client. */
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
      const deny = question !== "" && !act.confirms;
      return delivered(await person.press(text, place, { ...hint, deny }));
    }
    default:
      return act satisfies never;
  }
}

function delivered(outcome: DeliveryOutcome): ActOutcome {
  return outcome.ok ? { kind: "done" } : { kind: "refused", reason: `Slack shows the error "${outcome.shown}".` };
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
    const field = fieldNamed(view.blocks, label);
    const value = typeof typed === "string" ? fieldValueFromText(field, typed, moment) : typed;
    await sandbox.workspace.as(handle).fill({ [label]: value });
  }
  return { kind: "done" };
}

function submitted(outcome: SubmitOutcome): ActOutcome {
  switch (outcome.kind) {
    case "blocked":
      return { kind: "refused", reason: complaints(outcome.errors) };
    case "failed":
      return { kind: "refused", reason: `Slack shows the error "${outcome.shown}".` };
    case "errors":
      return { kind: "done", note: "The form has errors. Correct them and submit again." };
    default:
      return { kind: "done" };
  }
}

function complaints(errors: Readonly<Record<string, string>>): string {
  return Object.entries(errors)
    .map(([label, message]) => `${label}: ${message}`)
    .join("\n");
}
