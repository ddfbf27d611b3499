import { type Frame, quoted, type Slots } from "./frame.ts";
import { isSense, type Sense } from "./lexicon.ts";

/*
 * How the grammar says what somebody asks. A line must be one that its command takes: a time that it can't take is left out, and
 * a question about what comes is none about what was.
 */

/** A time that begins before a moment of a line goes by itself: "since monday". */
const since = (time: string): string =>
  time === "" || /^(?:since|on|in|last|this|yesterday|today|before)\b/i.test(time) ? time : `since ${time}`;

/** "for 8 days", "10 days straight" */
const lengthOf =
  /^(?:for )?(?:(?:more|longer|over) (?:than )?)?((?:\d+|an?|two|three|four|five|six|seven|eight|nine|ten|twelve) ?(?:d|days?|w|weeks?|h|hours?))\b/i;

/** "longer than a week" is 8 days at least. */
function lengthWanted(time: string, isMore: boolean): string | undefined {
  const said = lengthOf.exec(time)?.[1];
  const [, count = "", unit = ""] = /^(\d+|an?|\S+) ?([dwh])/i.exec(said ?? "") ?? [];
  if (!(isMore || /\b(?:more|longer|over)\b/i.test(time)) || unit === "" || !/^(?:\d+|an?)$/.test(count)) return said;
  const more = Number(count.replace(/^an?$/, "1")) * (unit === "w" ? 7 : 1) + 1;
  return `${more} ${unit === "h" ? "hours" : "days"}`;
}

/** What is up at a time; of whole days, what runs. */
export const upOf: Frame["say"] = ({ thing, project, span, past }) => {
  const when = span || past;
  const isOfDays =
    /week|month|day\b/i.test(when) && !/\d[:.]?\d*|night|morning|evening|noon|to?day|yesterday/i.test(when);
  return `${isOfDays ? "next" : "running"} ${thing || quoted(project)} ${when}`;
};

/** What somebody may do. */
export const rightsOf: Frame["say"] = (slots) => {
  const { thing, project, person, senses, time } = slots;
  if (senses.has("wait") || senses.has("request")) return "approvals";
  if (thing || project || lengthOf.test(time) || (senses.has("howLong") && !person)) return mayWho(slots);
  if (person) return `rights ${person}`;
  return senses.has("who") ? mayWho(slots) : "whoami";
};

/** "who may end staging", by what is asked about. */
const rights: readonly (readonly [Sense, string])[] = [
  ["mfa", "user remove-mfa"],
  ["unlock", "user unlock"],
  ["disable", "user disable"],
  ["enable", "user enable"],
  ["email", "user email"],
  ["offboard", "user offboard"],
  ["rename", "project rename"],
  ["end", "exclusion end"],
  ["extend", "exclusion extend"],
  ...(["keep", "keepUp", "keepOff"] as const).map((sense): [Sense, string] => [sense, "exclude"]),
];

/** What "help" knows words of. */
const topics: readonly Sense[] =
  "offboard unlock mfa disable enable email detach rename approve deny withdraw undo skip warn selector credential group extend end keep"
    .split(" ")
    .filter(isSense);
export const helpOn: Frame["say"] = ({ senses }) => {
  const kept = senses.has("keepUp") ? "keep" : "";
  return `help ${topics.find((sense) => senses.has(sense)) ?? (senses.has("shorten") ? "extend" : kept)}`;
};

/** Of machines only where some are named, or it is said that they are kept. */
export const mayWho: Frame["say"] = ({ thing: machines, project, person, policy, time, senses }) => {
  const thing = machines || quoted(project);
  if (senses.has("approve") || senses.has("decision")) return "who may approve";
  if (policy !== "" || senses.has("detach")) return "who may user detach-policy";
  const length = lengthWanted(time, senses.has("extend"));
  if (length !== undefined) return `who may exclude ${thing} for ${length}`;
  const found = rights.find(([sense, right]) => senses.has(sense) && !(thing && right.startsWith("user")))?.[1];
  if (found !== undefined) return `who may ${found} ${/^ex/.test(found) ? thing : ""}`;
  return thing || person ? `who may exclude ${thing}` : "whoami";
};

/** Whether a time is over for certain: "on tuesday" may be next week. */
export const isBehind = (time: string): boolean => /\b(?:yesterday|last|ago|this morning)\b/i.test(time);

/** "why did it stop on friday" asks about the last one. */
export const whyOf: Frame["say"] = ({ thing, past, isOver, time }) => {
  const day = isOver ? /^(?:on )?(\w+day)$/i.exec(time)?.[1] : undefined;
  return `why ${thing} ${isBehind(past) ? past : day && !isBehind(day) ? `last ${day}` : ""}`;
};

export const runsOf: Frame["say"] = ({ verb, thing, action, time, dayOff, span, isOver, isComing }) => {
  if (action && isOver && !isBehind(span)) return `status ${quoted(action)}`;
  // "did the backup run"
  if (isOver && !isComing && verb && !action && !time) return `next ${verb} ${thing} today`;
  return !time && !dayOff && thing && !action && !verb
    ? `status ${thing}`
    : `next ${action ? "" : verb} ${action || thing} ${dayOff || span}`;
};

/** What somebody has who asks for it; else what there is. */
export const ownOrAll: Frame["say"] = ({ isOwn, span, senses }) => {
  if (isOwn) return "mine";
  return senses.has("keep") || senses.has("keepUp") || senses.has("series") ? "exclusions" : `next ${span}`;
};

/** What a change is called in the history. */
export const commands: readonly (readonly [Sense, string])[] = [
  ["mfa", "user remove-mfa"],
  ["disable", "user disable"],
  ["enable", "user enable"],
  ["offboard", "user offboard"],
  ["email", "user email"],
  ["rename", "project rename"],
];

/** What was changed; else, of what comes or is, the nearest answer. */
export const historyOf: Frame["say"] = (slots) => {
  const { thing, project, action, plan, credential, senses } = slots;
  const person = slots.person.includes(" ") ? "" : slots.person;
  const others = [action, plan, credential, project].find((name) => name !== "") ?? "";
  const about = thing || quoted(others);
  const isSince = /^(?:since|after|from)\b/i.test(slots.time);
  const isAhead = slots.span !== "" && !isSince && (slots.past === "" || (slots.isComing && !slots.isOver));
  if (isAhead) return about ? `status ${about}` : `next ${slots.span}`;
  // Of jobs, what ran.
  if (thing && senses.has("action") && senses.has("record")) return `why ${thing}`;
  if (about && isOfNow(slots)) return `status ${about}`;
  const isActor = senses.has("account") ? slots.doer === person : !senses.has("who");
  const by = person && !about && isActor ? `by ${person}` : person && `about ${person}`;
  const own = slots.isOwn && !person && !about && !senses.has("who") ? "mine" : "";
  const isRenamed = senses.has("rename") && !senses.has("project");
  const named = person || about || isRenamed ? undefined : commands.find(([sense]) => senses.has(sense))?.[1];
  const kind = senses.has("account") && !person && !about && !named ? "accounts" : "";
  return ["history", kind, named, about && `about ${about}`, by || own, since(slots.past)].filter(Boolean).join(" ");
};

/** "does this touch qa", "what would happen to web" */
const isOfNow = ({ isNow, isOver, past, senses }: Slots): boolean =>
  isNow && !isOver && past === "" && !senses.has("who") && !senses.has("record") && !senses.has("list");

export const usersOf: Frame["say"] = ({ policy, senses, isNegated }) => {
  const is =
    senses.has("disable") || (senses.has("enable") && isNegated) ? "disabled" : senses.has("enable") ? "enabled" : "";
  const mfa = senses.has("mfa") ? (isNegated ? "without mfa" : "with mfa") : "";
  return ["users", is, mfa, policy && `with ${policy}`].filter(Boolean).join(" ");
};

/** Those of others, of somebody, or all. */
export const exclusionsOf: Frame["say"] = ({ person, thing, senses, span, past }) => {
  const when = isBehind(past) ? past : thing ? "" : span;
  if (thing) return isBehind(when) ? `exclusions ${thing} ${when}` : `status ${thing}`;
  if (person !== "" && !person.includes(" ")) return `exclusions ${person} ${when}`;
  return senses.has("others") ? "exclusions others" : `exclusions ${when}`;
};
