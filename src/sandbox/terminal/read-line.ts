import type { Act } from "../act.ts";

export type TerminalLine =
  | { readonly kind: "act"; readonly act: Act }
  | { readonly kind: "as"; readonly person: string }
  | { readonly kind: "in"; readonly place: string }
  | { readonly kind: Listing }
  | { readonly kind: "wait"; readonly length: string }
  /** The answer to a confirmation dialog. */
  | { readonly kind: "answer"; readonly isYes: boolean }
  /** An empty line: show what is new. */
  | { readonly kind: "look" }
  | { readonly kind: "quit" }
  /** Not understood; `hint` shows the right form. */
  | { readonly kind: "unclear"; readonly hint: string };

/** The commands that only show something. */
export type Listing = "help" | "messages" | "people" | "channels" | "service";

export interface Reading {
  /** The person's current channel. */
  readonly place: string;
  /** Labels of the open form. */
  readonly labels: readonly string[];
}

type Reader = (rest: string, reading: Reading) => TerminalLine;

/** Parses one line of the prompt. A slash command or a mention goes to Slack unchanged. */
export function readLine(line: string, reading: Reading): TerminalLine {
  const text = line.trim();
  if (text === "") return { kind: "look" };
  if (/^[/@]/.test(text)) return act({ kind: "type", text, place: reading.place });
  const [, word = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(text) ?? [];
  const reader = readers.get(word.toLowerCase());
  return reader
    ? reader(rest, reading)
    : unclear(`Unknown command "${word}". A line for the bot starts with / or with @Curfew.`);
}

const readers = new Map<string, Reader>(
  Object.entries({
    "?": only("help"),
    help: only("help"),
    as: (person) => (person ? { kind: "as", person } : unclear("as <person>, such as: as bob")),
    in: (place) => (place ? { kind: "in", place: place.replace(/^#/, "") } : unclear("in <channel>, such as: in ops")),
    fill: readFill,
    suggest: readSuggest,
    submit: () => act({ kind: "submit" }),
    cancel: () => act({ kind: "cancel" }),
    press: readPress,
    wait: (length) => (length ? { kind: "wait", length } : unclear("wait <length>, such as: wait 2h")),
    yes: () => ({ kind: "answer", isYes: true }),
    no: () => ({ kind: "answer", isYes: false }),
    messages: only("messages"),
    people: only("people"),
    channels: only("channels"),
    service: only("service"),
    quit: () => ({ kind: "quit" }),
    exit: () => ({ kind: "quit" }),
  } satisfies Readonly<Record<string, Reader>>),
);

function only(kind: Listing): Reader {
  return () => ({ kind });
}

function act(performed: Act): TerminalLine {
  return { kind: "act", act: performed };
}

function unclear(hint: string): TerminalLine {
  return { kind: "unclear", hint };
}

/** `fill <label> = <value>`; an empty value clears the field. */
function readFill(rest: string): TerminalLine {
  const [, label, value] = /^(.+?)\s*=\s*(.*)$/s.exec(rest) ?? [];
  if (label === undefined || value === undefined) return unclear("fill <label> = <value>, such as: fill Reason = demo");
  return act({ kind: "fill", values: { [label]: value } });
}

/** `suggest <label> <text>`: takes the longest label of the form that the line starts with. */
function readSuggest(rest: string, { labels }: Reading): TerminalLine {
  const label = labels
    .filter((each) => rest.toLowerCase().startsWith(each.toLowerCase()))
    .toSorted((one, other) => other.length - one.length)[0];
  if (label === undefined) return unclear("suggest <label> <text>, where the label is that of a search field");
  return act({ kind: "suggest", label, query: rest.slice(label.length).replace(/^\s*=?\s*/, "") });
}

/** `press <button> [n]` */
function readPress(rest: string): TerminalLine {
  const [, button, nth = "1"] = /^(.+?)(?:\s+(\d{1,3}))?$/s.exec(rest) ?? [];
  if (button === undefined) return unclear("press <button> [n], such as: press End now");
  return act({ kind: "press", button, nth: Number(nth), confirms: false });
}
