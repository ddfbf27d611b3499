import { z } from "zod";
import type {
  ChoiceField,
  EmailField,
  Field,
  JsonField,
  NumberField,
  Option,
  PersonField,
  RulesField,
  SwitchField,
  TagRule,
  TextField,
  TimeField,
} from "../../commands/field.ts";
import { ticketWords } from "../../commands/required-fields.ts";
import { dayWords } from "../../commands/schedule-facts.ts";
import { readDays } from "../../language/day-list.ts";
import { nearestWord } from "../../language/nearest-word.ts";
import { readLength } from "../../language/time-words/lengths.ts";
import { timeWords } from "../../language/time-words/words.ts";
import type { Word } from "../../language/tokenize.ts";
import { type TicketForm, ticketIn } from "../../permissions/requirements.ts";
import { formatDuration, parseDuration } from "../../time/duration.ts";
import { readClock } from "../../time/wall-clock.ts";
import { describeZone, ianaZone, nearestZone } from "../../time/zone.ts";
import { cut, limits } from "../messages/text.ts";
import {
  type FieldKind,
  inputActionId,
  missing,
  plainText,
  problem,
  type Reading,
  typedInput,
  typedKind,
  value,
} from "./field-kind.ts";
import { extensionKind, momentKind, recurrenceKind, spanKind } from "./kinds/moment.ts";
import { referenceKind } from "./kinds/reference.ts";
import { resourceIdsKind, thingsKind } from "./kinds/resource-ids.ts";
import { asTyped } from "./plain-letters.ts";

/** The kind of a field. */
export function kindOf(field: Field): FieldKind<Field> {
  return fieldKinds[field.kind];
}

const textKind: FieldKind<TextField> = {
  ...typedKind<TextField>({
    usage: ({ label, positional }) => `<${label.toLowerCase()}${positional === "rest" ? "…" : ""}>`,
    example: ({ label, positional }) => (positional === "rest" ? label.toLowerCase() : quoted(label.toLowerCase())),
    read: (text, field) => readText(field, text),
    input: ({ maxLength, multiline = false }) => ({ maxLength, multiline }),
  }),
  fromLine: async (field, words, { nameOf }) => {
    const text = await asTyped(words.map((word) => word.value).join(" "), nameOf, field.keepsMentions);
    return text.trim() === "" ? missing : readText(field, text.trim());
  },
};

const quoted = (text: string): string => (text.includes(" ") ? `"${text}"` : text);

function readText({ maxLength, ticket }: TextField, text: string): Reading {
  if (ticket) return readTicket(ticket, text);
  if (text.length <= maxLength) return value(text);
  return problem(`That is ${lengthWords(text)}; at most ${maxLength} are allowed.`);
}

function readTicket(form: TicketForm, text: string): Reading {
  const ticket = ticketIn(form, text);
  return ticket === undefined ? problem(`This needs ${ticketWords(form.pattern)}.`) : value(ticket);
}

/** Counts characters as a person sees them, and says which count twice toward the limit (surrogate pairs). */
function lengthWords(text: string): string {
  const visible = [...text].length;
  const double = text.length - visible;
  return `${visible} characters${double > 0 ? `, of which ${double} ${double === 1 ? "counts" : "count"} twice` : ""}`;
}

const choiceKind: FieldKind<ChoiceField> = {
  usage: ({ options, multiple }) =>
    multiple || options.length > 4
      ? `<${options[0]?.value ?? ""}${multiple ? "," : "|"}…>`
      : options.map((option) => option.value).join("|"),
  example: ({ options }) => options[0]?.value ?? "",
  fromLine: async (field, words) => readChoice(field, words.flatMap((word) => word.value.split(",")).filter(Boolean)),
  draw: async (field, { value: chosen }) => (field.multiple ? drawSeveral(field, chosen) : drawOne(field, chosen)),
  fromState: async (field, { selected_option, selected_options }) =>
    readChoice(
      field,
      (selected_options ?? (selected_option ? [selected_option] : [])).map((option) => option.value),
    ),
};

function readChoice({ options, multiple }: ChoiceField, words: readonly string[]): Reading {
  if (words.length === 0) return missing;
  const chosen: string[] = [];
  for (const word of words) {
    const option = optionFor(options, word);
    if (!option) return problem(unknownOption(options, word));
    chosen.push(option.value);
  }
  if (multiple) return value([...new Set(chosen)]);
  return chosen.length === 1 ? value(chosen[0]) : problem(`Choose only one of ${valuesOf(options)}.`);
}

function optionFor(options: readonly Option[], word: string): Option | undefined {
  const text = word.trim().toLowerCase();
  return options.find((option) => option.value.toLowerCase() === text || option.label.toLowerCase() === text);
}

function unknownOption(options: readonly Option[], word: string): string {
  const near = nearestWord(
    word.toLowerCase(),
    options.map((option) => option.value),
  );
  return `“${word}” is not one of ${valuesOf(options)}.${near ? ` Did you mean “${near.word}”?` : ""}`;
}

function valuesOf(options: readonly Option[]): string {
  return options.map((option) => option.value).join(", ");
}

function drawOne({ options, initial }: ChoiceField, chosen: unknown) {
  const drawn = options.map(drawOption);
  const start = drawn.find((option) => option.value === (chosen ?? initial));
  const element = { action_id: inputActionId, options: drawn, ...(start ? { initial_option: start } : {}) };
  // Radio buttons show every option; Slack allows ten (PLATFORM.md §8.4).
  return options.length <= 5
    ? ({ type: "radio_buttons", ...element } as const)
    : ({ type: "static_select", ...element, placeholder: plainText("Choose one") } as const);
}

function drawSeveral({ options }: ChoiceField, chosen: unknown) {
  const drawn = options.map(drawOption);
  const start = drawn.filter((option) => Array.isArray(chosen) && chosen.includes(option.value));
  const element = { type: "checkboxes", action_id: inputActionId, options: drawn } as const;
  return start.length ? { ...element, initial_options: start } : element;
}

function drawOption({ label, value: chosen }: Option) {
  return { text: plainText(label), value: chosen };
}

const numberKind: FieldKind<NumberField> = {
  ...typedKind<NumberField>({
    usage: ({ label }) => `<${label.toLowerCase()}>`,
    example: ({ minimum }) => String(minimum),
    read: (text, { minimum, maximum }) => {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
      if (number >= minimum && number <= (maximum ?? number)) return value(number);
      const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
      return problem(`“${text}” is not a whole number ${range}.`);
    },
  }),
  // Typed text that is not such a number is not drawn: Slack would refuse the form (PLATFORM.md §8.4).
  draw: async ({ minimum, maximum }, { value: number }) => ({
    type: "number_input",
    action_id: inputActionId,
    is_decimal_allowed: false,
    min_value: String(minimum),
    ...(maximum === undefined ? {} : { max_value: String(maximum) }),
    ...(typeof number === "number" ? { initial_value: String(number) } : {}),
  }),
};

const isAddress = (text: string): boolean => z.email().max(limits.inputText).safeParse(text).success;

const emailKind: FieldKind<EmailField> = {
  ...typedKind<EmailField>({
    usage: () => "<address>",
    example: () => "bob@example.com",
    read: (text) => {
      // Slack sends a typed address as a link (PLATFORM.md §3.3).
      const address = text.replace(/^<mailto:([^|>]+)(?:\|[^>]*)?>$/, "$1");
      return isAddress(address) ? value(address) : problem(`“${address}” is not an e-mail address.`);
    },
  }),
  draw: async (_field, { value: address, typed }) => {
    const text = (typeof address === "string" ? address : (typed ?? "")).trim();
    // Slack refuses a form whose e-mail input starts with something else than an address.
    const type = text === "" || isAddress(text) ? "email_text_input" : "plain_text_input";
    return { type, action_id: inputActionId, ...(text ? { initial_value: cut(text, limits.inputText) } : {}) };
  },
};

const timeKind: FieldKind<TimeField> = {
  ...typedKind<TimeField>({
    usage: () => "<HH:MM>",
    example: () => "19:00",
    read: (text) => {
      const clock = readClock(text);
      if (!clock) return problem(`“${text}” is not a time of day such as 19:00 or 7pm.`);
      const { hour, minute, second } = clock;
      return value([hour, minute, second].map((number) => String(number).padStart(2, "0")).join(":"));
    },
    sent: ({ value: words, selected_time }) => words ?? selected_time,
  }),
  draw: async (_field, { value: time, typed }) =>
    typed
      ? typedInput(typed)
      : {
          type: "timepicker",
          action_id: inputActionId,
          ...(typeof time === "string" && /^\d\d:\d\d/.test(time) ? { initial_time: time.slice(0, 5) } : {}),
        },
};

/** Days of the week, as people write them. */
const daysKind = typedKind({
  usage: () => "<Mon-Fri|…>",
  example: () => "Mon-Fri",
  read: (text) => {
    const found = readDays(text);
    if ("unknown" in found)
      return problem(`“${found.unknown}” is not a day. Write them like Mon–Fri, weekends, daily, or Mon, Wed, Fri.`);
    return found.days.length > 0 ? value(found.days) : missing;
  },
  write: (days) => (Array.isArray(days) ? dayWords(days.map(String)) : undefined),
  input: () => ({ maxLength: 200, placeholder: "Mon–Fri" }),
});

/** A length of time, in ms. */
const lengthKind = typedKind({
  usage: () => "<8h>",
  example: () => "8h",
  read: (text) => {
    const words = text.split(/\s+/);
    const said = readLength(timeWords(words), 0);
    const isWhole = said?.end === words.length && said.months === 0 && said.reading.kind === "duration";
    const length = isWhole ? said.reading : parseDuration(words.join(" "));
    return length.kind === "duration" ? value(length.ms) : problem(length.reason);
  },
  write: (ms) => (typeof ms === "number" ? formatDuration(ms) : undefined),
  input: () => ({ maxLength: 100, placeholder: "8h" }),
});

/** Kept as given: the command decides which kind of id the service gets. */
const zoneKind = typedKind({
  usage: () => "<zone>",
  example: () => "Europe/London",
  read: (id) => {
    if (ianaZone(id)) return value(id);
    const near = nearestZone(id);
    return problem(
      `“${id}” is not a time zone.${near ? ` Did you mean ${near}?` : " Give an id such as Europe/Berlin."}`,
    );
  },
  input: (_field, { actor, now }) => ({
    maxLength: 100,
    placeholder: cut(`For example ${describeZone(actor.timeZone, now)}`, 150),
  }),
});

const jsonKind = typedKind<JsonField>({
  usage: ({ list }) => (list ? "'[{…},…]'" : "'{…}'"),
  example: ({ list }) => (list ? "'[{}]'" : "'{}'"),
  read: (text, field) => readJson(field, text),
  write: (json) => JSON.stringify(json, null, 2),
  input: () => ({ multiline: true }),
});

const object = z.record(z.string(), z.unknown());

/** Indentation grows with each level: written out, a short text could become megabytes. */
const maxDepth = 20;

function isDeeper(json: unknown, levels: number): boolean {
  if (typeof json !== "object" || json === null) return false;
  return levels === 0 || Object.values(json).some((inner) => isDeeper(inner, levels - 1));
}

function readJson({ list }: JsonField, text: string): Reading {
  try {
    const parsed = (list ? z.array(object) : object).safeParse(JSON.parse(text));
    if (parsed.success && isDeeper(parsed.data, maxDepth)) return problem("This is nested too deeply to be read.");
    if (parsed.success) return value(parsed.data);
    return problem(
      list ? "This must be a list of JSON objects, in brackets." : "This must be a JSON object, in braces.",
    );
  } catch {
    return problem("This is not JSON: look for a missing quote, comma, bracket or brace.");
  }
}

/** The comparisons seen in real services (API.md, "Observed"); the last two take no value. */
const compareTypes = [
  "equals",
  "does-not-equal",
  "contains",
  "does-not-contain",
  "starts-with",
  "does-not-start-with",
  "ends-with",
  "does-not-end-with",
  "exists",
  "does-not-exist",
];

const rulesKind: FieldKind<RulesField> = {
  ...typedKind<RulesField>({
    usage: () => "<name>=<value>,…",
    example: () => "Environment=staging",
    read: (text) => readRules(text.split("\n")),
    write: (rules) => (Array.isArray(rules) ? rules.map(ruleText).join("\n") : undefined),
    input: () => ({ multiline: true, placeholder: "Environment=staging" }),
  }),
  fromLine: async (_field, words) => {
    const text = words.map(withQuotes).join(" ");
    return readRules(text.split(/[\n;]+/));
  },
};

/** On a line the quotes around a value are gone: `Team="web shop"`. */
function withQuotes({ value: typed, isQuoted }: Word): string {
  const [, name, compare, quoted = ""] = (isQuoted && /^([^\s=!"]+)(!?==?)([^="]*)$/.exec(typed)) || [];
  return /\s/.test(quoted) ? `${name}${compare}"${quoted}"` : typed;
}

/** A tag name with blanks is quoted. */
function ruleText({ tagName, compareType, tagValue }: TagRule): string {
  const name = /\s/.test(tagName) ? `"${tagName}"` : tagName;
  return [name, compareType, ...(tagValue ? [tagValue] : [])].join(" ");
}

function readRules(lines: readonly string[]): Reading {
  const given = lines.map((line) => line.trim()).filter(Boolean);
  if (given.length === 0) return missing;
  const rules = given.flatMap((line) => readSigns(line) ?? readRule(line));
  const wrong = rules.find((rule) => typeof rule === "string");
  return wrong === undefined ? value(rules) : problem(wrong);
}

const sign = /(?:"([^"]+)"|([^\s=!,"]+))\s*(!?==?)\s*(?:"([^"]*)"|([^\s,"]+))/y;
const between = /[\s,]*/y;

/** `Environment=staging, Team!="web shop"`: undefined when the line is not written so. */
function readSigns(line: string): readonly TagRule[] | undefined {
  const rules: TagRule[] = [];
  for (let at = 0; at < line.length; at = between.lastIndex) {
    sign.lastIndex = at;
    const [, quoted, plain = "", comparison, quotedValue, plainValue = ""] = sign.exec(line) ?? [];
    if (comparison === undefined) return undefined;
    const compareType = comparison.startsWith("!") ? "does-not-equal" : "equals";
    rules.push({ tagName: quoted ?? plain, compareType, tagValue: quotedValue ?? plainValue });
    between.lastIndex = sign.lastIndex;
    between.exec(line);
  }
  return rules;
}

/** The rule, or the problem with the line. */
function readRule(line: string): TagRule | string {
  const parts = /^(?:"([^"]+)"|(\S+))\s+(\S+)(?:\s+(\S.*))?$/.exec(line);
  const [, quoted, plain = "", comparison = "", tagValue] = parts ?? [];
  const compareType = comparison.toLowerCase();
  if (!parts || (line.includes("=") && !compareTypes.includes(compareType)))
    return `“${line}” is not a rule such as “Environment=staging” or “name equals value”.`;
  if (!compareTypes.includes(compareType)) {
    const near = nearestWord(compareType, compareTypes);
    return `“${comparison}” in “${line}” is not a comparison.${near ? ` Did you mean “${near.word}”?` : ""}`;
  }
  const needsValue = !compareType.endsWith("exists") && !compareType.endsWith("exist");
  if (needsValue && tagValue === undefined) return `“${line}” needs a value to compare with.`;
  return { tagName: quoted ?? plain, compareType, ...(tagValue === undefined ? {} : { tagValue }) };
}

const listKind = typedKind({
  usage: ({ label }) => `<${label.toLowerCase()},…>`,
  example: () => "eu-west-1,eu-west-2",
  read: (text) => {
    const words = [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
    return words.length ? value(words) : missing;
  },
  write: (words) => (Array.isArray(words) ? words.join(", ") : undefined),
});

/** On a line the flag alone means yes. */
const switchKind: FieldKind<SwitchField> = {
  usage: () => "",
  example: () => "",
  fromLine: async (_field, words) => {
    const text = words
      .map((word) => word.value)
      .join(" ")
      .trim();
    if (/^(?:|yes|true|on)$/i.test(text)) return value(true);
    return /^(?:no|false|off)$/i.test(text) ? missing : problem(`“${text}” is neither yes nor no.`);
  },
  draw: async ({ label }, { value: isOn }) => {
    const option = { text: plainText(label), value: "yes" };
    const isChosen = isOn === true ? { initial_options: [option] } : {};
    return { type: "checkboxes", action_id: inputActionId, options: [option], ...isChosen };
  },
  fromState: async (_field, { selected_options }) => (selected_options?.length ? value(true) : missing),
};

const userId = /^[UW][A-Z0-9]+$/;

/** A person in Slack, by mention or user id. */
const personKind: FieldKind<PersonField> = {
  ...typedKind<PersonField>({
    usage: () => "<@person>",
    example: () => "@bob",
    read: (text) => {
      const id = /^<@([^|>]+)(?:\|[^>]*)?>$/.exec(text)?.[1] ?? text;
      return userId.test(id) ? value(id) : problem(`“${text}” is not a person in Slack. Mention them, as in @alice.`);
    },
    sent: ({ selected_user }) => selected_user,
  }),
  draw: async (_field, { value: id, typed }) => {
    const initial = [id, typed].find((each) => typeof each === "string" && userId.test(each));
    return {
      type: "users_select",
      action_id: inputActionId,
      placeholder: plainText("Choose somebody"),
      ...(typeof initial === "string" ? { initial_user: initial } : {}),
    };
  },
};

const fieldKinds = {
  text: textKind,
  choice: choiceKind,
  reference: referenceKind,
  "resource-ids": resourceIdsKind,
  things: thingsKind,
  moment: momentKind,
  extension: extensionKind,
  number: numberKind,
  email: emailKind,
  time: timeKind,
  days: daysKind,
  length: lengthKind,
  zone: zoneKind,
  json: jsonKind,
  rules: rulesKind,
  list: listKind,
  switch: switchKind,
  recurrence: recurrenceKind,
  span: spanKind,
  person: personKind,
} as const satisfies { [K in Field["kind"]]: FieldKind<Extract<Field, { kind: K }>> };
