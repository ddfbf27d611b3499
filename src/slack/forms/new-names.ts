import { typeWords } from "../../directory/resources.ts";
import type { NewNames } from "../fields/field-kind.ts";
import { type ShownWords, shownAs } from "./shown-words.ts";

/** Says how names that Curfew sees for the first time will be used: they may be ordinary words. */
export function newNamesText({ names, type }: NewNames): string {
  const list = names.map((name) => `“${name}”`).join(", ");
  const what = `${typeWords[type]} name`;
  return names.length === 1
    ? `${list} is new to Curfew. Sending this form uses it as ${/^[AEIOR]/.test(what) ? "an" : "a"} ${what}.`
    : `${list} are new to Curfew. Sending this form uses them as ${what}s.`;
}

/** Whether the form had not yet said so when it was sent. */
export function isUnannounced({ names }: NewNames, shown: ShownWords | undefined): boolean {
  return !names.every((name) => shown !== undefined && shownAs(shown, name) === "an id");
}
