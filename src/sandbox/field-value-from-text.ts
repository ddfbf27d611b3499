import { parseDuration } from "../time/duration.ts";
import { parseMoment } from "../time/moment.ts";
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
  const words = text.trim().replace(/^(?:for|until)\s+/i, "");
  const length = parseDuration(words);
  if (length.kind === "duration") return Math.ceil((now + length.ms) / 60_000) * 60;
  const moment = parseMoment(words, { now, zone });
  if (moment.kind === "invalid") throw new Error(moment.reason);
  return Math.floor(moment.at / 1000);
}
