import { messagesSeen } from "./messages-seen.ts";
import type { Sandbox } from "./sandbox.ts";
import { elementsOf } from "./workspace/driver/form-fields.ts";
import type { Place } from "./workspace/driver/surface-of.ts";
import { type JsonObject, objectAt, objectsIn, plainText, stringAt } from "./workspace/json-object.ts";
import { blocksOf } from "./workspace/state/views.ts";

/** A button or an overflow menu entry on a person's screen. */
export interface Pressable {
  readonly text: string;
  readonly place: Place;
  readonly hint: { readonly actionId?: string; readonly value?: string };
  /** The text of the confirmation dialog; empty when there is none. */
  readonly question: string;
}

/**
 * Finds the button or menu entry with this text in the open form, else in the newest message that has one. The dots at its end may be
 * left out, since few keyboards have them. `nth` counts on through older messages. Throws when there is none.
 */
export function findPress(sandbox: Sandbox, handle: string, text: string, nth = 1): Pressable {
  const all = pressables(sandbox, handle);
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

export function pressables(sandbox: Sandbox, handle: string): readonly Pressable[] {
  const view = sandbox.workspace.as(handle).openView();
  const inView = (view?.blocks ?? []).flatMap((block) => pressablesIn(block, "view"));
  const inMessages = messagesSeen(sandbox, handle)
    .toReversed()
    .flatMap(({ stored }) =>
      [...stored.blocks, ...stored.attachments.flatMap(blocksOf)].flatMap((block) => pressablesIn(block, stored)),
    );
  return [...inView, ...inMessages];
}

function pressablesIn(block: JsonObject, place: Place): readonly Pressable[] {
  return elementsOf(block).flatMap((element) => {
    if (element.type !== "button" && element.type !== "overflow") return [];
    const options = element.type === "overflow" ? objectsIn(element.options) : [element];
    return options.map(({ text, value }) => ({
      text: plainText(text),
      place,
      hint: hintOf(stringAt(element.action_id), stringAt(value)),
      question: questionOf(element),
    }));
  });
}

function hintOf(actionId: string | undefined, value: string | undefined): Pressable["hint"] {
  return { ...(actionId === undefined ? {} : { actionId }), ...(value === undefined ? {} : { value }) };
}

function questionOf({ confirm }: JsonObject): string {
  const { title, text } = objectAt(confirm);
  return [plainText(title), plainText(text)].filter((part) => part !== "").join(" ");
}
