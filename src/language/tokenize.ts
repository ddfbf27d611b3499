/** A word of a typed line, with quotes removed and entities decoded. */
export interface Word {
  readonly value: string;
  readonly isQuoted: boolean;
  /** Its offset in the line. */
  readonly start: number;
}

export type Tokens =
  | { readonly kind: "words"; readonly words: readonly Word[] }
  | { readonly kind: "unclosed"; readonly quote: string };

const closing: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "“": '”“"',
  "”": '”"',
  "„": '“”"',
  "«": "»",
  "‘": "’‘'",
};
/** Sticky, so that a long line is not copied for each try. */
const entity = /<(?:[@#!]|https?:|mailto:|tel:)[^<>\n]*>/y;

/** Addresses and `@here` as they were typed. What people typed as angle brackets comes escaped, and is not touched. */
function withoutMarks(text: string): string {
  return text
    .replace(/<(?:mailto|tel):([^<|>\n]+)(?:\|[^<>\n]*)?>/g, "$1")
    .replace(/<![^<|>\n]*\|([^<>\n]+)>/g, "$1")
    .replace(/<!(?:subteam\^)?(\w+)>/g, "@$1");
}

/**
 * Splits what was typed after the command into words. Quotes may be straight or curly. Slack's mentions and links (`<@U1|bob>`) stay
 * whole, its addresses (`<mailto:…|…>`) and `<!here>` are as typed, `&lt; &gt; &amp;` are decoded (PLATFORM.md §3.3), a long dash before
 * a flag counts as two hyphens, and an apostrophe is no quote.
 */
export function tokenize(line: string): Tokens {
  const words: Word[] = [];
  const closingQuote = createQuoteFinder(line);
  let at = 0;
  while (at < line.length) {
    if (/[\s\u200b]/.test(line[at] ?? "")) {
      at++;
      continue;
    }
    const word = readWord(line, at, closingQuote);
    if ("quote" in word) return { kind: "unclosed", quote: word.quote };
    words.push({ value: word.value, isQuoted: word.isQuoted, start: at });
    at = word.end;
  }
  return { kind: "words", words };
}

type WordReading =
  | { readonly value: string; readonly isQuoted: boolean; readonly end: number }
  | { readonly quote: string };

function readWord(line: string, start: number, closingQuote: QuoteFinder): WordReading {
  let value = "";
  let isQuoted = false;
  let at = start;
  while (at < line.length && !/\s/.test(line[at] ?? "")) {
    const char = line[at] ?? "";
    entity.lastIndex = at;
    const whole = entity.exec(line)?.[0];
    // Reads the line, since indexing the growing value would copy it for every character.
    const closers = at === start || line[at - 1] === "=" ? closing[char] : undefined;
    if (whole) {
      value += withoutMarks(whole);
      at += whole.length;
    } else if (closers === undefined) {
      value += char;
      at++;
    } else {
      const end = closingQuote(at + 1, closers);
      if (end === undefined && !"'‘".includes(char)) return { quote: char };
      value += end === undefined ? char : unescapeTyped(withoutMarks(line.slice(at + 1, end)));
      isQuoted ||= end !== undefined;
      at = (end ?? at) + 1;
    }
  }
  const isLiteral = isQuoted || value.startsWith("<");
  return { value: isLiteral ? value : unescapeTyped(value).replace(/^[—–](?=[a-z])/i, "--"), isQuoted, end: at };
}

type QuoteFinder = (from: number, closers: string) => number | undefined;

/**
 * A quote closes only before a blank, a mark or the end, so that an inch mark or an apostrophe inside stays text. A missing closing
 * quote is remembered, or each of many open quotes would scan the whole line.
 */
function createQuoteFinder(line: string): QuoteFinder {
  const absent = new Set<string>();
  return (from, closers) => {
    if (absent.has(closers)) return undefined;
    for (let at = from; at < line.length; at++) {
      if (closers.includes(line[at] ?? "") && /^(?:[\s,;]|[.:!?)]+(?:\s|$)|$)/.test(line.slice(at + 1, at + 4)))
        return at;
    }
    absent.add(closers);
    return undefined;
  };
}

const entities: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

function unescapeTyped(text: string): string {
  return text.replace(/&(?:lt|gt|amp);/g, (found) => entities[found] ?? found);
}
