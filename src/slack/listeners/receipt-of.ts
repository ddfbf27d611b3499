import { randomUUID } from "node:crypto";
import type { Receipt, Said } from "../../changes/receipts.ts";
import { commandOf } from "../../commands/catalogue.ts";
import { mustConfirm } from "../../commands/command.ts";
import type { LineSplit, SplitLine } from "../../language/split-line.ts";
import { readMeta } from "../forms/form-meta.ts";
import { readAction } from "../messages/button.ts";
import { purposeOf } from "./access.ts";
import type { Press } from "./handlers/handle-press.ts";
import type { Submission } from "./handlers/handle-submission.ts";
import type { Line } from "./line/line.ts";

/*
 * The record of a request, made before it is acknowledged: the command and the words of its fields, or the button, never the text as it was typed.
 * Undefined for a request that changes nothing by itself: a question, a line that was not understood, a button that opens a form.
 */

export function receiptOfLine(line: Line, split: LineSplit, receivedAt: number): Receipt | undefined {
  if (split.kind === "unclear" || split.problems.length > 0 || split.unexplained.length > 0) return undefined;
  const { command, parts, sets } = split;
  const { key: id, userId, channelId, askedIn, isConfirmed } = line;
  if (purposeOf(command) !== "change" || (!isConfirmed && mustConfirm(command, userId))) return undefined;
  return {
    id,
    kind: "line",
    words: command.words,
    said: { ...saidIn(parts, sets), isConfirmed },
    userId,
    channelId,
    askedIn,
    receivedAt,
  };
}

export function receiptOfPress(
  { actionId, value, surface, fromHome = false, userId, channelId }: Omit<Press, "arrivedAt">,
  receivedAt: number,
): Receipt | undefined {
  const action = readAction(actionId);
  const command = action && commandOf(action.words);
  if (action?.opens !== "result" || !command || purposeOf(command) === "read") return undefined;
  const pressed = { actionId, value, surface, fromHome };
  return { id: randomUUID(), kind: "button", words: command.words, pressed, userId, channelId, receivedAt };
}

export function receiptOfForm({ userId, privateMetadata }: Submission, receivedAt: number): Receipt | undefined {
  const meta = readMeta(privateMetadata);
  const command = meta && commandOf(meta.words);
  if (!command || purposeOf(command) === "read") return undefined;
  return { id: randomUUID(), kind: "form", words: command.words, userId, channelId: meta.channelId, receivedAt };
}

function saidIn(parts: SplitLine["parts"], sets: SplitLine["sets"]): Said {
  const words = [...parts].map(([name, all]) => [name, all.map(({ value, isQuoted }) => ({ value, isQuoted }))]);
  return { parts: Object.fromEntries(words), sets };
}

/** The line of a receipt; undefined if it was none, or its command is gone. */
export function splitOf({ words, said }: Receipt): SplitLine | undefined {
  const command = commandOf(words);
  if (!command || !said) return undefined;
  const parts = Object.entries(said.parts).map(
    ([name, all]) => [name, all.map((word, index) => ({ ...word, start: index }))] as const,
  );
  return { kind: "split", command, parts: new Map(parts), sets: said.sets, problems: [], unexplained: [], words: [] };
}
