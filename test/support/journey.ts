import { expect } from "vitest";
import { type OpenView, shownText, type Typed } from "../../src/sandbox/workspace/form-fields.ts";
import { objectsIn, plainText } from "../../src/sandbox/workspace/json-object.ts";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import { type OperationName, operations } from "../../src/service/operations.ts";
import { followsText } from "../../src/slack/listeners/acknowledgement.ts";
import { aboveCardBlock } from "../../src/slack/messages/message.ts";
import type { Curfew } from "./start-curfew.ts";

/** A message to one person only. */
export interface CommandReply {
  readonly message: StoredMessage;
  /** All its text, in lines. Above a card, what was done is said only in the text for notifications, which follows then. */
  readonly text: string;
  /** The id of its change; empty without one. */
  readonly changeId: string;
  /** The id of the newest exclusion in the service; empty without one. */
  readonly exclusionId: string;
}

/** A message about another person's change to one's account comes separately, at its own time. */
/** For the person whose account was changed, or is to be. */
export const isOfOwnAccount = ({ text }: StoredMessage): boolean =>
  text.startsWith("Your account in the scheduling service: ");

/** Acts, and waits for the next message to this person: where they asked (or in place of an earlier reply), or else by direct message. */
export async function messagesAfter(
  { workspace, service }: Curfew,
  who: string,
  act: () => Promise<unknown>,
  where = "ops",
): Promise<CommandReply> {
  const person = workspace.as(who);
  const isAnswer = (message: StoredMessage) =>
    message.isFromApp && !isOfOwnAccount(message) && !textOf(message).includes(followsText);
  const own = () => [
    ...person.messages(where).filter((message) => isAnswer(message) && message.ephemeralTo === person.id),
    ...person.messages("dm").filter(isAnswer),
  ];
  const seen = new Set(own().map(fingerprint));
  const firstLines = new Map(own().map((message) => [message.ts, firstLineOf(message)]));
  // Of what is over only the buttons go.
  const isOvertaken = (message: StoredMessage) =>
    message.ephemeralTo === undefined &&
    firstLines.get(message.ts) === firstLineOf(message) &&
    buttonsOn(message).length === 0;
  await act();
  const isNew = (message: StoredMessage) => !seen.has(fingerprint(message)) && !isOvertaken(message);
  const message = await workspace.waitFor(() => own().find(isNew), {
    what: `an answer to ${who}`,
  });
  const shown = textOf(message);
  const isAboveCard =
    message.blocks.some(({ block_id: id }) => String(id).startsWith(aboveCardBlock)) ||
    /^:\w+: You (?:approved|denied|withdrew) it\./.test(shown);
  const text = isAboveCard ? `${shown}\n${message.text}` : shown;
  expect(leadsOn(message), `the next step in: ${text}`).toBe(true);
  // What people see needs no ids. The text for notifications names the change.
  const changeId = changeIdIn(text) || changeIdIn(message.text);
  return { message, text, changeId, exclusionId: [...service.account.exclusions.keys()].at(-1) ?? "" };
}

const firstLineOf = (message: StoredMessage): string => textOf(message).split("\n")[0] ?? "";

/** Whether a refusal or an error has a next step: a button, a command, somebody to ask, or what to do. Other answers need none. */
export function leadsOn({ blocks, text }: StoredMessage): boolean {
  const said = textOf({ blocks, text });
  if (!/^:(?:no_entry|warning|x):/.test(said)) return true;
  const hasButtons = blocks.some(({ type }) => type === "actions");
  return hasButtons || /`|” (?:alone )?shows|<[@#!]/.test(said) || whatToDo.test(said);
}

const whatToDo =
  /(?:^|[.:,;?] |and |or )(?:ask|try|choose|give|name|check|contact|look|type|say|fill|write|open|wait|correct|use|leave|send|type|put|add|shorten|take)\b/i;

/** Types a line and waits for its reply. */
export function ask(curfew: Curfew, who: string, line: string, where = "ops"): Promise<CommandReply> {
  return messagesAfter(curfew, who, () => type(curfew, who, line, where), where);
}

/** Ends an exclusion by a line, and confirms it where somebody else made it. */
export async function end(curfew: Curfew, who: string, exclusion: string): Promise<CommandReply> {
  const reply = await ask(curfew, who, `exclusion end ${exclusion}`);
  const label = buttonsOn(reply.message).find((each) => each.startsWith("End "));
  if (label === undefined) return reply;
  return messagesAfter(curfew, who, () => curfew.workspace.as(who).press(label, reply.message));
}

/** Types a line with an id that Curfew has not seen, and presses the button that confirms it. */
export async function askWithNewId(curfew: Curfew, who: string, line: string): Promise<CommandReply> {
  const question = await ask(curfew, who, line);
  return messagesAfter(curfew, who, () => confirmNewId(curfew, who, question));
}

/** The same for a line that opens a form. */
export async function openFormWithNewId(curfew: Curfew, who: string, line: string): Promise<OpenView> {
  await confirmNewId(curfew, who, await ask(curfew, who, line));
  return curfew.workspace.waitFor(() => curfew.workspace.as(who).openView(), { what: `a form for ${who}` });
}

async function confirmNewId({ workspace }: Curfew, who: string, { message }: CommandReply): Promise<void> {
  const label = buttonsOn(message).find((each) => /^Use “.*” as an? .* id$/.test(each));
  expect(label, "the answer offers the id").toBeDefined();
  await workspace.as(who).press(label ?? "", message);
}

/** Types a line and waits for its form. */
export async function openForm(curfew: Curfew, who: string, line: string, where = "ops"): Promise<OpenView> {
  const person = curfew.workspace.as(who);
  expect(person.openView(), "no form is open yet").toBeUndefined();
  await type(curfew, who, line, where);
  return curfew.workspace.waitFor(() => person.openView(), { what: `a form for ${who}` });
}

/** Types a line that something is missing from or was not understood in, and opens its form by the reply's button. */
export async function openFormFromReply(
  curfew: Curfew,
  who: string,
  line: string,
): Promise<OpenView & { readonly reply: CommandReply }> {
  const reply = await ask(curfew, who, line);
  const person = curfew.workspace.as(who);
  const label = buttonsOn(reply.message).find((each) => ["Open the form", "Other…", "Give the id…"].includes(each));
  expect(label, "the reply offers the form").toBeDefined();
  await person.press(label ?? "", reply.message);
  const form = await curfew.workspace.waitFor(() => person.openView(), { what: `a form for ${who}` });
  return { ...form, reply };
}

/** Fills in the open form, with its rarer fields where they are named. */
export async function fillIn(curfew: Curfew, who: string, values: Readonly<Record<string, Typed>>): Promise<void> {
  const person = curfew.workspace.as(who);
  const { fields = [] } = person.openView() ?? {};
  if (Object.keys(values).some((label) => !fields.includes(label))) await unfold(curfew, who);
  await person.fill(values);
}

/** Shows the rarer fields of the open form, if it has any. */
export async function unfold({ workspace }: Curfew, who: string): Promise<void> {
  const person = workspace.as(who);
  const hasMore = () => buttonsOn(person.openView() ?? { blocks: [] }).includes("More…");
  if (!hasMore()) return;
  await person.press("More…", "view");
  await workspace.waitFor(() => !hasMore(), { what: "the whole form" });
}

/** Fills in the open form, sends it and waits for the reply. */
export function send(curfew: Curfew, who: string, values: Readonly<Record<string, Typed>> = {}): Promise<CommandReply> {
  const person = curfew.workspace.as(who);
  return messagesAfter(curfew, who, async () => {
    await fillIn(curfew, who, values);
    expect(await person.submit()).toEqual({ kind: "closed" });
  });
}

/** Starts to record; the result lists the changing operations sent to the service since. */
export function changesSentTo({ service }: Curfew): () => readonly OperationName[] {
  const start = service.requests.length;
  return () =>
    service.requests
      .slice(start)
      .flatMap(({ operation }) => (operation && operations[operation].effect !== "read" ? [operation] : []));
}

/** Waits for the card that shows a change in a channel: its own, or the one with the change in its thread. */
export function cardOf({ workspace }: Curfew, changeId: string, channel = "ops"): Promise<StoredMessage> {
  const isAbout = ({ isFromApp, text }: StoredMessage) => isFromApp && text.endsWith(`change ${changeId}`);
  const find = () => {
    const own = cardsIn(workspace, channel).find(isAbout);
    const { messages } = workspace.channel(channel);
    const line = own ? undefined : messages.find((message) => message.threadTs !== undefined && isAbout(message));
    return own ?? messages.find(({ ts }) => ts === line?.threadTs);
  };
  return workspace.waitFor(find, { what: `the card of ${changeId} in #${channel}` });
}

/** The lines in a card's thread. */
export function threadOf({ workspace }: Curfew, card: StoredMessage): readonly StoredMessage[] {
  return workspace.channel(card.channelId).messages.filter(({ threadTs }) => threadTs === card.ts);
}

/** A message's current version. */
export function nowOf({ workspace }: Curfew, { channelId, ts }: StoredMessage): StoredMessage {
  const message = workspace.channel(channelId).messages.find((each) => each.ts === ts);
  if (message === undefined) throw new Error("The message is gone.");
  return message;
}

export function cardsIn(workspace: Curfew["workspace"], channel: string): readonly StoredMessage[] {
  return workspace.channel(channel).messages.filter(({ isFromApp, threadTs }) => isFromApp && threadTs === undefined);
}

export function textOf({ blocks, text }: Pick<StoredMessage, "blocks" | "text">): string {
  if (blocks.length === 0) return text;
  const shown = shownTexts.get(blocks) ?? shownText(blocks);
  shownTexts.set(blocks, shown);
  return shown;
}

/** Whoever waits for a message looks at all of them after every change. */
const shownTexts = new WeakMap<StoredMessage["blocks"], string>();

export function buttonsOn({ blocks }: Pick<StoredMessage, "blocks">): readonly string[] {
  return elementsOn(blocks).flatMap((element) => (element.type === "button" ? [plainText(element.text)] : []));
}

/** The entries of the menus, line by line. */
export function menusOn({ blocks }: Pick<StoredMessage, "blocks">): readonly (readonly string[])[] {
  return elementsOn(blocks).flatMap((element) =>
    element.type === "overflow" ? [objectsIn(element.options).map(({ text }) => plainText(text))] : [],
  );
}

const elementsOn = (blocks: StoredMessage["blocks"]) =>
  blocks.flatMap(({ elements, accessory }) => [...objectsIn(elements), ...objectsIn([accessory])]);

export function changeIdIn(text: string): string {
  return /chg-[0-9a-z]+/.exec(text)?.[0] ?? "";
}

/** The service's id of the exclusion in a message. */
export function exclusionIdIn(text: string): string {
  return /aex-\d+/.exec(text)?.[0] ?? "";
}

async function type({ workspace }: Curfew, who: string, line: string, where: string): Promise<void> {
  expect(await workspace.as(who).type(`/curfew ${line}`, where)).toEqual({ ok: true });
}

function fingerprint({ channelId, ts, text, blocks }: StoredMessage): string {
  return JSON.stringify([channelId, ts, text, blocks]);
}
