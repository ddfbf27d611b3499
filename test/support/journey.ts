import { expect } from "vitest";
import type { OpenView } from "../../src/sandbox/workspace/driver/open-view.ts";
import { shownText } from "../../src/sandbox/workspace/driver/shown-text.ts";
import type { Typed } from "../../src/sandbox/workspace/driver/typed-value.ts";
import { objectsIn, plainText } from "../../src/sandbox/workspace/json-object.ts";
import type { StoredMessage } from "../../src/sandbox/workspace/messages.ts";
import { type OperationName, operations } from "../../src/service/operations.ts";
import type { Curfew } from "./start-curfew.ts";

/** What one person alone was told. */
export interface CommandReply {
  readonly message: StoredMessage;
  /** All text in it, a line each. */
  readonly text: string;
  /** Of the change it is about; empty when it is about none. */
  readonly changeId: string;
}

/** What somebody else did to a person's own account is told to them beside, and at its own time. */
export const ofOwnAccount = "That is your account in the scheduling service.";

/** Does something and waits for what this person is then told: where they asked (also in place of an earlier answer), or else by direct message. */
export async function messagesAfter(
  { workspace }: Curfew,
  who: string,
  act: () => Promise<unknown>,
  where = "ops",
): Promise<CommandReply> {
  const person = workspace.as(who);
  const own = () => [
    ...person.messages(where).filter(({ isFromApp, ephemeralTo }) => isFromApp && ephemeralTo === person.id),
    ...person.messages("dm").filter((message) => message.isFromApp && !textOf(message).includes(ofOwnAccount)),
  ];
  const seen = new Set(own().map(fingerprint));
  await act();
  const message = await workspace.waitFor(() => own().find((each) => !seen.has(fingerprint(each))), {
    what: `an answer to ${who}`,
  });
  return { message, text: textOf(message), changeId: changeIdIn(textOf(message)) };
}

/** Types a line and waits for its answer. */
export function ask(curfew: Curfew, who: string, line: string, where = "ops"): Promise<CommandReply> {
  return messagesAfter(curfew, who, () => type(curfew, who, line, where), where);
}

/** Types a line and waits for the form it opens. */
export async function openForm(curfew: Curfew, who: string, line: string, where = "ops"): Promise<OpenView> {
  const person = curfew.workspace.as(who);
  expect(person.openView(), "no form is open yet").toBeUndefined();
  await type(curfew, who, line, where);
  return curfew.workspace.waitFor(() => person.openView(), { what: `a form for ${who}` });
}

/** Fills in the open form, sends it and waits for the answer. */
export function send(curfew: Curfew, who: string, values: Readonly<Record<string, Typed>> = {}): Promise<CommandReply> {
  const person = curfew.workspace.as(who);
  return messagesAfter(curfew, who, async () => {
    await person.fill(values);
    expect(await person.submit()).toEqual({ kind: "closed" });
  });
}

/** Starts counting; the result tells which changing operations the service has been asked for since. */
export function changesSentTo({ service }: Curfew): () => readonly OperationName[] {
  const start = service.requests.length;
  return () =>
    service.requests
      .slice(start)
      .flatMap(({ operation }) => (operation && operations[operation].effect !== "read" ? [operation] : []));
}

/** Waits for the card of a change in a channel. */
export function cardOf({ workspace }: Curfew, changeId: string, channel = "ops"): Promise<StoredMessage> {
  return workspace.waitFor(() => cardsIn(workspace, channel).find(({ text }) => text.endsWith(`change ${changeId}`)), {
    what: `the card of ${changeId} in #${channel}`,
  });
}

/** The lines in a card's thread. */
export function threadOf({ workspace }: Curfew, card: StoredMessage): readonly StoredMessage[] {
  return workspace.channel(card.channelId).messages.filter(({ threadTs }) => threadTs === card.ts);
}

/** A message as it stands now. */
export function nowOf({ workspace }: Curfew, { channelId, ts }: StoredMessage): StoredMessage {
  const message = workspace.channel(channelId).messages.find((each) => each.ts === ts);
  if (message === undefined) throw new Error("The message is gone.");
  return message;
}

export function cardsIn(workspace: Curfew["workspace"], channel: string): readonly StoredMessage[] {
  return workspace.channel(channel).messages.filter(({ isFromApp, threadTs }) => isFromApp && threadTs === undefined);
}

export function textOf({ blocks, text }: Pick<StoredMessage, "blocks" | "text">): string {
  return blocks.length > 0 ? shownText(blocks) : text;
}

export function buttonsOn({ blocks }: Pick<StoredMessage, "blocks">): readonly string[] {
  return blocks
    .flatMap(({ elements }) => objectsIn(elements))
    .flatMap((element) => (element.type === "button" ? [plainText(element.text)] : []));
}

export function changeIdIn(text: string): string {
  return /chg-[0-9a-z]+/.exec(text)?.[0] ?? "";
}

/** The id the service gave the exclusion that a message is about. */
export function exclusionIdIn(text: string): string {
  return /aex-\d+/.exec(text)?.[0] ?? "";
}

async function type({ workspace }: Curfew, who: string, line: string, where: string): Promise<void> {
  expect(await workspace.as(who).type(`/curfew ${line}`, where)).toEqual({ ok: true });
}

function fingerprint({ channelId, ts, text, blocks }: StoredMessage): string {
  return JSON.stringify([channelId, ts, text, blocks]);
}
