import { type Act, type ActOutcome, performAct } from "../act.ts";
import { findPress } from "../find-press.ts";
import { createMessageTracker, messagesSeen } from "../messages-seen.ts";
import { channelsOf, moveClock, type Sandbox, seedPerson } from "../sandbox.ts";
import { viewSeen } from "../view-seen.ts";
import { type Listing, readLine, type TerminalLine } from "./read-line.ts";
import { channelsText, helpText, messagesText, peopleText, placeName, serviceText } from "./screens.ts";

export interface TerminalOptions {
  readonly sandbox: Sandbox;
  /** Takes one or more whole lines. */
  readonly write: (text: string) => void;
}

/** The person at the prompt: alice in #ops at first, then anyone they choose with `as`. */
export class TerminalSession {
  readonly #sandbox: Sandbox;
  readonly #write: (text: string) => void;
  readonly #tracker = createMessageTracker();
  #person = "alice";
  #place = "ops";
  #shownView: string | undefined;
  /** A press that waits for the answer to its confirmation dialog. */
  #pendingPress: Act | undefined;

  constructor({ sandbox, write }: TerminalOptions) {
    this.#sandbox = sandbox;
    this.#write = (text) => {
      if (text !== "") write(text);
    };
  }

  get prompt(): string {
    return `${this.#person}> `;
  }

  /** Performs the line and writes what the person then sees. False when they quit. */
  async handle(line: string): Promise<boolean> {
    const labels = this.#sandbox.workspace.as(this.#person).openView()?.fields ?? [];
    const read = readLine(line, { place: this.#place, labels });
    try {
      await this.#perform(read);
    } catch (error) {
      this.#write(error instanceof Error ? error.message : String(error));
    }
    return read.kind !== "quit";
  }

  async #perform(read: TerminalLine): Promise<void> {
    const pendingPress = this.#pendingPress;
    this.#pendingPress = undefined;
    switch (read.kind) {
      case "act":
        return this.#start(read.act);
      case "answer":
        return this.#answer(pendingPress, read.isYes);
      case "as":
        return this.#switchTo(read.person);
      case "in":
        return this.#goTo(read.place);
      case "wait":
        this.#write(`It is ${await moveClock(this.#sandbox, read.length)}.`);
        return this.#showNews();
      case "look":
        return this.#showNews();
      case "unclear":
        return this.#write(`${read.hint}\nType ? for help.`);
      case "quit":
        return;
      default:
        return this.#write(this.#listing(read.kind));
    }
  }

  async #start(act: Act): Promise<void> {
    const question = act.kind === "press" ? findPress(this.#sandbox, this.#person, act.button, act.nth).question : "";
    if (question === "") return this.#performAct(act);
    this.#pendingPress = act;
    this.#write(`Slack asks: ${question}\nType yes or no.`);
  }

  async #answer(pendingPress: Act | undefined, isYes: boolean): Promise<void> {
    if (pendingPress?.kind !== "press") this.#write("There is no question to answer.");
    else if (isYes) await this.#performAct({ ...pendingPress, confirms: true });
    else this.#write("Nothing was sent.");
  }

  async #performAct(act: Act): Promise<void> {
    this.#write(outcomeText(await performAct(this.#sandbox, this.#person, act)));
    this.#showNews();
  }

  #switchTo(handle: string): void {
    this.#person = seedPerson(this.#sandbox, handle).handle;
    const channels = channelsOf(this.#sandbox, this.#person);
    if (!channels.includes(this.#place)) this.#place = channels[0] ?? "dm";
    this.#shownView = undefined;
    this.#write(`You are ${this.#person}, in ${placeName(this.#place)}.`);
    this.#showNews();
  }

  #goTo(place: string): void {
    const places = [...channelsOf(this.#sandbox, this.#person), "dm"];
    if (!places.includes(place)) throw new Error(`${this.#person} can only go to ${places.join(", ")}.`);
    this.#place = place;
    this.#write(`You are ${this.#person}, in ${placeName(place)}.`);
  }

  #showNews(): void {
    this.#write(messagesText(this.#tracker.newOrChanged(messagesSeen(this.#sandbox, this.#person))));
    const view = viewSeen(this.#sandbox, this.#person);
    if (view !== this.#shownView) this.#write(view ?? "(The form is closed.)");
    this.#shownView = view;
  }

  #listing(listing: Listing): string {
    switch (listing) {
      case "help":
        return helpText;
      case "messages":
        return messagesText(messagesSeen(this.#sandbox, this.#person, this.#place)) || "  none";
      case "people":
        return peopleText(this.#sandbox);
      case "channels":
        return channelsText(this.#sandbox, this.#person);
      case "service":
        return serviceText(this.#sandbox);
    }
  }
}

function outcomeText(outcome: ActOutcome): string {
  if (outcome.kind === "refused") return `! ${outcome.reason}`;
  const options = outcome.options?.map((option) => `  ${option}`) ?? [];
  const offered = outcome.options?.length === 0 ? ["  no suggestions"] : options;
  return [...offered, ...(outcome.note === undefined ? [] : [outcome.note])].join("\n");
}
