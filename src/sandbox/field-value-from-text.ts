import { notUnderstood, readTime } from "../language/read-time.ts";
import type { FormField } from "./workspace/driver/form-fields.ts";
import type { Typed } from "./workspace/driver/typed-value.ts";

interface Moment {
  readonly now: number;
  readonly zone: string;
}

/** Converts typed text to a field's value: a list from commas, a moment from words, null from an empty text. */
export function fieldValueFromText({ element }: FormField, text: string, moment: Moment): Typed {
  const type = String(element.type);
  if (text.trim() === "") return null;
  if (type === "datetimepicker") return pickedSeconds(text, moment);
  if (type.startsWith("multi_") || type === "checkboxes") return text.split(",").map((part) => part.trim());
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
