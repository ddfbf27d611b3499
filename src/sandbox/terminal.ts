import { createInterface } from "node:readline";
import { type Act, type ActOutcome, findPress, performAct } from "./act.ts";
import {
  channelsOf,
  createMessageTracker,
  exclusionsInForce,
  membershipOf,
  messagesSeen,
  moveClock,
  type Sandbox,
  type SeenMessage,
  seedPerson,
  viewSeen,
} from "./sandbox.ts";
import { stripControls } from "./workspace/render/mrkdwn.ts";

export interface Streams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

export interface Terminal {
  /** Resolves when the person leaves or a piped input ends. Never resolves for an empty pipe, because then nobody is there. */
  readonly ended: Promise<void>;
  /** Takes no more lines and waits for the current one. */
  stop(): Promise<void>;
}

/** Handles lines from a keyboard or a pipe, one at a time. */
export function runTerminal(session: TerminalSession, { input, output }: Streams): Terminal {
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
    ended: done.then((count) => (isKeyboard || count > 0 ? undefined : new Promise<undefined>(() => {}))),
    stop: async () => {
      isStopped = true;
      lines.close();
      await done;
    },
  };
}

type Command = (rest: string) => void | Promise<void>;

/** The person at the prompt: alice in #ops at first, then anyone they choose with `as`. */
export class TerminalSession {
  readonly #sandbox: Sandbox;
  readonly #write: (text: string) => void;
  readonly #newOrChanged = createMessageTracker();
  #person = "alice";
  #place = "ops";
  #shownView: string | undefined;
  /** A press that waits for the answer to its confirmation dialog. */
  #pendingPress: Act | undefined;

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
      else if (/^[/@]/.test(text)) await this.#act({ kind: "type", text, place: this.#place });
      else if (command) await command(rest);
      else this.#hint(`Unknown command "${word}". A line for the bot starts with / or with @Curfew.`);
    } catch (error) {
      this.#write(error instanceof Error ? error.message : String(error));
    }
    return true;
  }

  #commands(pendingPress: Act | undefined): Readonly<Record<string, Command>> {
    const help = () => this.#write(helpText);
    return {
      "?": help,
      help,
      as: (person) => (person ? this.#switchTo(person) : this.#hint("as <person>, such as: as bob")),
      in: (place) => (place ? this.#goTo(place.replace(/^#/, "")) : this.#hint("in <channel>, such as: in ops")),
      fill: (rest) => this.#fill(rest),
      suggest: (rest) => this.#suggest(rest),
      submit: () => this.#act({ kind: "submit" }),
      cancel: () => this.#act({ kind: "cancel" }),
      press: (rest) => this.#press(rest),
      wait: async (length) => {
        if (!length) return this.#hint("wait <length>, such as: wait 2h");
        this.#write(`It is ${await moveClock(this.#sandbox, length)}.`);
        this.#showNews();
      },
      yes: async () => {
        if (pendingPress?.kind !== "press") this.#write("There is no question to answer.");
        else await this.#act({ ...pendingPress, confirms: true });
      },
      no: () => this.#write(pendingPress ? "Nothing was sent." : "There is no question to answer."),
      messages: () => this.#write(messagesText(messagesSeen(this.#sandbox, this.#person, this.#place)) || "  none"),
      people: () => this.#write(peopleText(this.#sandbox)),
      channels: () => this.#write(channelsText(this.#sandbox, this.#person)),
      service: () => this.#write(serviceText(this.#sandbox)),
    };
  }

  #hint(hint: string): void {
    this.#write(`${hint}\nType ? for help.`);
  }

  async #act(act: Act): Promise<void> {
    this.#write(outcomeText(await performAct(this.#sandbox, this.#person, act)));
    this.#showNews();
  }

  /** `fill <label> = <value>`; an empty value clears the field. */
  async #fill(rest: string): Promise<void> {
    const [, label, value] = /^(.+?)\s*=\s*(.*)$/s.exec(rest) ?? [];
    if (label === undefined || value === undefined)
      return this.#hint("fill <label> = <value>, such as: fill Reason = demo");
    await this.#act({ kind: "fill", values: { [label]: value } });
  }

  /** `suggest <label> <text>`: takes the longest label of the form that the line starts with. */
  async #suggest(rest: string): Promise<void> {
    const { fields = [] } = this.#sandbox.workspace.as(this.#person).openView() ?? {};
    const label = fields
      .filter((each) => rest.toLowerCase().startsWith(each.toLowerCase()))
      .toSorted((one, other) => other.length - one.length)[0];
    if (label === undefined) return this.#hint("suggest <label> <text>, where the label is that of a search field");
    await this.#act({ kind: "suggest", label, query: rest.slice(label.length).replace(/^\s*=?\s*/, "") });
  }

  /** `press <button> [n]` */
  async #press(rest: string): Promise<void> {
    const [, button, nth = "1"] = /^(.+?)(?:\s+(\d{1,3}))?$/s.exec(rest) ?? [];
    if (button === undefined) return this.#hint("press <button> [n], such as: press End now");
    const act: Act = { kind: "press", button, nth: Number(nth), confirms: false };
    const { question } = findPress(this.#sandbox, this.#person, button, act.nth);
    if (question === "") return this.#act(act);
    this.#pendingPress = act;
    this.#write(`Slack asks: ${question}\nType yes or no.`);
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
    this.#write(messagesText(this.#newOrChanged(messagesSeen(this.#sandbox, this.#person))));
    const view = viewSeen(this.#sandbox, this.#person);
    if (view !== this.#shownView) this.#write(view ?? "(The form is closed.)");
    this.#shownView = view;
  }
}

function outcomeText(outcome: ActOutcome): string {
  if (outcome.kind === "refused") return `! ${outcome.reason}`;
  const options = outcome.options?.map((option) => `  ${option}`) ?? [];
  const offered = outcome.options?.length === 0 ? ["  no suggestions"] : options;
  return [...offered, ...(outcome.note === undefined ? [] : [outcome.note])].join("\n");
}

const helpText = `  /curfew help · @Curfew help       send a line to the bot, as in Slack
  as <person> · in <channel>        act as somebody else, go to another channel (dm: direct messages)
  fill <label> = <value>            in an open form; separate several values with commas, write times as "fri 18:00" or "2h"
  suggest <label> <text>            the suggestions of a search field
  submit · cancel                   send or close the open form
  press <button> [n]                a button or menu entry, on the newest message that has it (or the nth); answer yes or no if asked
  messages · people · channels      the messages here, all people, the channels you can go to
  service                           the exclusions in force in the embedded service
  wait <length>                     move the clock forward, for example: wait 2h
  (Enter)                           show what is new
  quit`;

/** Each message has a header line: channel, author, and who sees it. */
function messagesText(messages: readonly SeenMessage[]): string {
  const texts = messages.map(({ place, from, text, isOnlyForYou, isReply, isEdited }) => {
    const remarks = [
      place === "dm" ? "direct message" : `#${place}`,
      from,
      ...(isOnlyForYou ? ["only you see this"] : []),
      ...(isReply ? ["in the thread"] : []),
      ...(isEdited ? ["edited"] : []),
    ];
    const body = text.split("\n").map((line) => `  ${line}`.trimEnd());
    return [`── ${remarks.join(" · ")}`, ...body].join("\n");
  });
  return texts.join("\n");
}

function peopleText({ seed }: Sandbox): string {
  const lines = seed.people.map((person) => {
    const groups = seed.userGroups.filter(({ members }) => members.includes(person.handle));
    const remarks = [...membershipOf(person, seed.team.id), ...groups.map(({ handle }) => `@${handle}`)];
    const { handle, id, realName } = person;
    return `  ${handle.padEnd(8)} ${id.padEnd(10)} ${realName.padEnd(16)} ${remarks.join(", ")}`.trimEnd();
  });
  return lines.join("\n");
}

function channelsText(sandbox: Sandbox, handle: string): string {
  const mine = channelsOf(sandbox, handle);
  const channels = sandbox.seed.channels.filter(({ name }) => mine.includes(name));
  const lines = channels.map(({ id, name, hasBot }) =>
    `  ${name.padEnd(10)} ${id.padEnd(10)} ${hasBot ? "" : "without the bot"}`.trimEnd(),
  );
  return [...lines, "  dm         your direct messages with the bot"].join("\n");
}

function serviceText(sandbox: Sandbox): string {
  const lines = exclusionsInForce(sandbox).map(
    ({ actionExclusionId, name, processes, resourceIds, expiryDate }) =>
      `  ${actionExclusionId}  ${name}: ${resourceIds.join(", ")} kept from ${processes.join(", ")} until ${expiryDate}`,
  );
  return stripControls(["Exclusions in force in the service:", ...(lines.length ? lines : ["  none"])].join("\n"));
}
