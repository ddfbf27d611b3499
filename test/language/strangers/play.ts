import { z } from "zod";
import { placedElements } from "../../../src/sandbox/workspace/blocks.ts";
import type { OpenView } from "../../../src/sandbox/workspace/form-fields.ts";
import { isJsonObject, type JsonObject, objectsIn, plainText } from "../../../src/sandbox/workspace/json-object.ts";
import { messageToText } from "../../../src/sandbox/workspace/message-to-text.ts";
import type { StoredMessage } from "../../../src/sandbox/workspace/state.ts";
import { operations } from "../../../src/service/operations.ts";
import { now, seed, type World } from "./world.ts";

/** A line of a corpus (README.md). */
export const line = z.object({
  by: z.enum(["alice", "bob", "carol", "dave", "erin", "gina"]),
  how: z.enum(["slash", "mention", "dm", "thread"]),
  card: z.enum(["web", "approval"]).optional(),
  line: z.string(),
  want: z.string(),
});
export type Line = z.infer<typeof line>;

/** What came of a line. */
export interface Played {
  /** What changed the service: operation, path and body. */
  readonly calls: readonly string[];
  /** What Curfew stored: changes with their state, such as `awaiting-approval` or `planned`, and warnings and groups. */
  readonly stored: readonly string[];
  /** The commands that ran or were refused. */
  readonly ran: readonly string[];
  readonly form?: { readonly title: string; readonly values: Readonly<Record<string, string>> };
  /** Every message that anybody got or that looks different now. */
  readonly messages: readonly Shown[];
}

interface Shown {
  readonly to: string;
  readonly text: string;
  /** What each button does, in the words of the payload. Those of cards, and menus, stand in the text only. */
  readonly buttons?: readonly string[];
}

const changed = new WeakSet<World>();

/** Says one line in the world as it was at the beginning. */
export async function play(world: World, said: Line): Promise<Played> {
  if (changed.delete(world)) await world.reset();
  const { service, workspace, app, logged } = world.curfew;
  const messages = new Set(messagesIn(world));
  const stored = await world.stored();
  const [calls, logLines] = [service.requests.length, logged.length];
  await say(world, said);
  await app.idle();
  const person = workspace.as(said.by);
  const view = person.openView();
  const storedNow = await world.stored();
  const played = {
    calls: service.requests
      .slice(calls)
      .filter(({ operation }) => operation && operations[operation].effect !== "read")
      .map(({ operation, path, body }) => [operation, path, JSON.stringify(body)].join(" ")),
    stored: [
      ...without(storedNow, stored),
      ...without(stored, storedNow).flatMap((each) => (/^(?:warning|group) /.test(each) ? `no ${each}` : [])),
    ].map(withTimes),
    ran: logged.slice(logLines).flatMap(commandIn),
    ...(view ? { form: { title: view.title, values: valuesIn(view) } } : {}),
    messages: messagesIn(world)
      .filter((each) => each.isFromApp && !messages.has(each))
      .map(shown),
  };
  if (view) await person.cancel();
  if (played.calls.length + played.stored.length > 0 || view) changed.add(world);
  return played;
}

async function say({ curfew, cards }: World, { by, how, card = "web", line: words }: Line): Promise<void> {
  const person = curfew.workspace.as(by);
  if (how === "slash") await person.type(`/curfew ${words}`, "ops");
  else if (how === "dm") await person.type(words, "dm");
  else if (how === "mention") await person.type(`@Curfew ${words}`, "ops");
  else await person.type(`@Curfew ${words}`, cards[card].channelId, cards[card].ts);
}

/** The same whatever the texts say. Where nothing changed: what ran, and the names in the answer. */
export function effectsOf({ calls, stored, ran, form, messages }: Played): readonly string[] {
  const effects = [...calls, ...stored, ...(form ? [`form ${form.title} ${JSON.stringify(form.values)}`] : [])];
  if (effects.length > 0 || ran.length === 0) return effects;
  const said = new Set(messages.flatMap(({ text }) => text.match(known) ?? []));
  return [[ran.join(", "), ...[...said].sort()].join(" ")];
}

const known = /\b(?:staging|web|qa|build|reports|alice|bob|carol|dave|erin|frank)\b/g;

function messagesIn({ curfew: { workspace } }: World): readonly StoredMessage[] {
  const places = [...seed.channels.map(({ name }) => name), "dm"];
  return [
    ...new Set(seed.people.flatMap(({ handle }) => places.flatMap((place) => workspace.as(handle).messages(place)))),
  ];
}

const without = (all: readonly string[], some: readonly string[]) => all.filter((each) => !some.includes(each));

const logLine = z.object({ msg: z.literal("command"), command: z.string(), decision: z.string().optional() });

function commandIn(json: string): readonly string[] {
  const { command, decision } = logLine.safeParse(JSON.parse(json)).data ?? {};
  if (command === undefined) return [];
  return [decision === "refused" ? `${command} (refused)` : command];
}

function valuesIn({ values }: OpenView): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([label, { type, ...state }]) => [label, valueIn(state)]));
}

/** The text of a typed value, of an option or of several. */
function valueIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueIn).join(", ");
  if (!isJsonObject(value)) return typeof value === "number" ? withTimes(`${value}000`) : String(value ?? "");
  return "text" in value ? plainText(value.text) : Object.values(value).map(valueIn).join(" ");
}

/** With moments in epoch ms as Berlin's time. */
const withTimes = (text: string) => text.replaceAll(/\b1[78]\d{11}\b/g, (ms) => format(Number(ms)));
const { format } = new Intl.DateTimeFormat("en-GB", {
  ...{ timeZone: "Europe/Berlin", dateStyle: "medium", timeStyle: "short" },
});

const names = new Map([
  ...seed.channels.map(({ id, name }) => [id, name] as const),
  ...seed.people.map(({ id, handle }) => [id, handle] as const),
]);

const nameOf = (id: string) => names.get(id) ?? id;

function shown({ channelId, ephemeralTo, threadTs, isEdited, text, blocks }: StoredMessage): Shown {
  const isDirect = channelId.startsWith("D");
  const place = isDirect ? `direct message to ${nameOf(`U${channelId.slice(1)}`)}` : `#${nameOf(channelId)}`;
  const to = ephemeralTo === undefined ? place : `only ${nameOf(ephemeralTo)} in ${place}`;
  const buttons = isDirect || ephemeralTo !== undefined ? blocks.flatMap(buttonsIn) : [];
  return {
    to: `${to}${threadTs === undefined ? "" : ", in a thread"}${isEdited ? " (changed)" : ""}`,
    text: messageToText({ text, blocks }, { nameOf, zone: "Europe/Berlin", now, width: 40 }),
    ...(buttons.length > 0 ? { buttons } : {}),
  };
}

function buttonsIn(block: JsonObject): readonly string[] {
  return placedElements(block).flatMap(({ element }) => {
    const { type, text, action_id, value, url, confirm, options } = element;
    const [kind, words] = String(action_id).split(":");
    if (type === "button")
      return [
        withTimes(`${plainText(text)} → ${url ?? `${kind} ${words} ${value}`}${confirm ? ", once confirmed" : ""}`),
      ];
    if (type === "overflow") return [];
    return objectsIn(options).map((option) => `${plainText(option.text)} → ${words} ${block.block_id} ${option.value}`);
  });
}
