import { createInterface } from "node:readline";
import { notUnderstood, readTime } from "../language/read-time.ts";
import {
  channelsOf,
  messagesSeen,
  moveClock,
  type Sandbox,
  type SeenMessage,
  seedPerson,
  settlesWithin,
  viewSeen,
} from "./sandbox.ts";
import { type ButtonHint, fieldNamed, type OpenView, pressables, type Typed } from "./workspace/form-fields.ts";
import { type JsonObject, objectAt, plainText } from "./workspace/json-object.ts";
import type { DeliveryOutcome } from "./workspace/live-workspace.ts";
import type { Place } from "./workspace/person.ts";
import type { Submission } from "./workspace/surfaces.ts";

export interface Streams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

export type Terminal = ReturnType<typeof runTerminal>;

/** Handles lines from a keyboard or a pipe, one at a time. */
export function runTerminal(session: TerminalSession, { input, output }: Streams) {
  const isKeyboard = input.isTTY === true;
  const lines = createInterface({ input, output: isKeyboard ? output : undefined, terminal: isKeyboard });
  let isClosed = false;
  let isStopped = false;
  lines.on("close", () => {
    isClosed = true;
  });
  lines.on("SIGINT", () => lines.close());
  const prompt = () => {
    if (isClosed || !isKeyboard) return;
    lines.setPrompt(session.prompt);
    lines.prompt();
  };
  const work = async (): Promise<number> => {
    let count = 0;
    prompt();
    for await (const line of lines) {
      count += 1;
      if (isStopped) break;
      // Lines from a pipe are not echoed otherwise.
      if (!isKeyboard) output.write(`${session.prompt}${line}\n`);
      if (!(await session.handle(line))) break;
      prompt();
    }
    lines.close();
    // Ends the line of the last prompt.
    if (isKeyboard) output.write("\n");
    return count;
  };
  const done = work();
  return {
    /** Resolves when the person leaves or a piped input ends. Never resolves for an empty pipe, because then nobody is there. */
    ended: done.then((count) => (isKeyboard || count > 0 ? undefined : new Promise<undefined>(() => {}))),
    /** Takes no more lines and waits for the current one. */
    stop: async () => {
      isStopped = true;
      lines.close();
      await done;
    },
  };
}

const maxWaitMs = 10_000;

/** The person at the prompt: alice in #ops at first, then anyone they choose with `as`. */
export class TerminalSession {
  readonly #sandbox: Sandbox;
  readonly #write: (text: string) => void;
  /** How each message looked last time. */
  readonly #looks = new Map<string, string>();
  #person = "alice";
  #place = "ops";
  #shownView: string | undefined;
  /** A press that waits for the answer to its confirmation dialog. */
  #pendingPress: Found | undefined;

  /** `write` takes one or more whole lines. */
  constructor(sandbox: Sandbox, write: (text: string) => void) {
    this.#sandbox = sandbox;
    this.#write = (text) => {
      if (text !== "") write(text);
    };
  }

  get prompt(): string {
    return `${this.#person}> `;
  }

  /** Performs the line and writes what the person then sees. False when they quit. A slash command or a mention goes to Slack unchanged. */
  async handle(line: string): Promise<boolean> {
    const text = line.trim();
    const pendingPress = this.#pendingPress;
    this.#pendingPress = undefined;
    const [, word = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(text) ?? [];
    const name = word.toLowerCase();
    if (name === "quit" || name === "exit") return false;
    const command = new Map(Object.entries(this.#commands(pendingPress))).get(name);
    try {
      if (text === "") this.#showNews();
      else if (/^[/@]/.test(text)) await this.#act(async () => shownBy(await this.#client.type(text, this.#place)));
      else if (command) await command(rest);
      else this.#hint(`Unknown command "${word}". A line for the bot starts with / or with @Curfew.`);
    } catch (error) {
      this.#write(messageOf(error));
    }
    return true;
  }

  get #client() {
    return this.#sandbox.workspace.as(this.#person);
  }

  #commands(pendingPress: Found | undefined): Readonly<Record<string, (rest: string) => void | Promise<void>>> {
    const help = () => this.#write(helpText);
    return {
      "?": help,
      help,
      as: (person) => (person ? this.#switchTo(person) : this.#hint("as <person>, such as: as bob")),
      in: (place) => (place ? this.#goTo(place.replace(/^#/, "")) : this.#hint("in <channel>, such as: in ops")),
      fill: (rest) => this.#fill(rest),
      submit: () => this.#act(async () => submitted(await this.#client.submit())),
      cancel: () =>
        this.#act(async () => {
          openView(this.#sandbox, this.#person);
          await this.#client.cancel();
          return "";
        }),
      press: (rest) => this.#press(rest),
      wait: async (length) => {
        if (!length) return this.#hint("wait <length>, such as: wait 2h");
        this.#write(`It is ${await moveClock(this.#sandbox, length)}.`);
        this.#showNews();
      },
      yes: async () => {
        if (pendingPress === undefined) this.#write("There is no question to answer.");
        else await this.#pressNow(pendingPress);
      },
      no: () => this.#write(pendingPress ? "Nothing was sent." : "There is no question to answer."),
      messages: () => this.#write(messagesText(messagesSeen(this.#sandbox, this.#person, this.#place)) || "  none"),
    };
  }

  #hint(hint: string): void {
    this.#write(`${hint}\nType ? for help.`);
  }

  /** Acts, waits until the bot is idle, and writes the outcome. The wait is bounded, because faults can make the service slow. */
  async #act(act: () => Promise<string>): Promise<void> {
    this.#write(await act().catch((error: unknown) => `! ${messageOf(error)}`));
    if (!(await settlesWithin(this.#sandbox.idle(), maxWaitMs))) this.#write("Curfew is still working on it.");
    this.#showNews();
  }

  /** `fill <label> = <value>`; an empty value clears the field. */
  async #fill(rest: string): Promise<void> {
    const [, typed, text] = /^(.+?)\s*=\s*(.*)$/s.exec(rest) ?? [];
    if (typed === undefined || text === undefined)
      return this.#hint("fill <label> = <value>, such as: fill Reason = demo");
    await this.#act(async () => {
      const view = openView(this.#sandbox, this.#person);
      const label = labelIn(view, typed);
      const moment = { now: this.#sandbox.clock.now(), zone: seedPerson(this.#sandbox, this.#person).tz ?? "UTC" };
      await this.#client.fill({ [label]: fieldValue(fieldNamed(view.blocks, label).element, text, moment) });
      return "";
    });
  }

  /** `press <button> [n]` */
  async #press(rest: string): Promise<void> {
    const [, button, nth = "1"] = /^(.+?)(?:\s+(\d{1,3}))?$/s.exec(rest) ?? [];
    if (button === undefined) return this.#hint("press <button> [n], such as: press End now");
    const found = findPress(this.#sandbox, this.#person, button, Number(nth));
    if (found.question === "") return this.#pressNow(found);
    this.#pendingPress = found;
    this.#write(`Slack asks: ${found.question}\nType yes or no.`);
  }

  #pressNow({ text, place, hint }: Found): Promise<void> {
    return this.#act(async () => shownBy(await this.#client.press(text, place, hint)));
  }

  #switchTo(handle: string): void {
    this.#person = seedPerson(this.#sandbox, handle).handle;
    const channels = channelsOf(this.#sandbox, this.#person);
    this.#shownView = undefined;
    this.#goTo(channels.includes(this.#place) ? this.#place : (channels[0] ?? "dm"));
    this.#showNews();
  }

  #goTo(place: string): void {
    const places = [...channelsOf(this.#sandbox, this.#person), "dm"];
    if (!places.includes(place)) throw new Error(`${this.#person} can only go to ${places.join(", ")}.`);
    this.#place = place;
    this.#write(`You are ${this.#person}, in ${place === "dm" ? "your direct messages" : `#${place}`}.`);
  }

  #showNews(): void {
    const changed = messagesSeen(this.#sandbox, this.#person).filter(({ stored: { channelId, ts, text, blocks } }) => {
      const [key, look] = [`${channelId}:${ts}`, JSON.stringify([text, blocks])];
      const isNew = this.#looks.get(key) !== look;
      this.#looks.set(key, look);
      return isNew;
    });
    this.#write(messagesText(changed));
    const view = viewSeen(this.#sandbox, this.#person);
    if (view !== this.#shownView) this.#write(view ?? "(The form is closed.)");
    this.#shownView = view;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const shownBy = (outcome: DeliveryOutcome): string => (outcome.ok ? "" : `! Slack shows the error "${outcome.shown}".`);

function submitted(outcome: Submission): string {
  if (outcome.kind === "failed") return shownBy({ ok: false, shown: outcome.shown });
  if (outcome.kind === "errors") return "The form has errors. Correct them and submit again.";
  if (outcome.kind !== "blocked") return "";
  const complaints = Object.entries(outcome.errors).map(([label, message]) => `${label}: ${message}`);
  return `! ${complaints.join("\n")}`;
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
interface Found {
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
function findPress(sandbox: Sandbox, handle: string, text: string, nth: number): Found {
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

const helpText = `  /curfew help · @Curfew help       send a line to the bot, as in Slack
  as <person> · in <channel>        act as somebody else, go to another channel (dm: direct messages)
  fill <label> = <value>            in an open form; separate several values with commas, write times as "fri 18:00" or "2h"
  submit · cancel                   send or close the open form
  press <button> [n]                a button or menu entry, on the newest message that has it (or the nth); answer yes or no if asked
  messages                          the messages here
  wait <length>                     move the clock forward, for example: wait 2h
  (Enter)                           show what is new
  quit`;

/** Each message has a header line: channel, author, and who sees it. */
function messagesText(messages: readonly SeenMessage[]): string {
  const texts = messages.map(({ place, from, text, stored: { ephemeralTo, threadTs, ts, isEdited } }) => {
    const remarks = [
      place === "dm" ? "direct message" : `#${place}`,
      from,
      ...(ephemeralTo ? ["only you see this"] : []),
      ...(threadTs !== undefined && threadTs !== ts ? ["in the thread"] : []),
      ...(isEdited ? ["edited"] : []),
    ];
    const body = text.split("\n").map((line) => `  ${line}`.trimEnd());
    return [`── ${remarks.join(" · ")}`, ...body].join("\n");
  });
  return texts.join("\n");
}
