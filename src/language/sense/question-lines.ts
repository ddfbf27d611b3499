import { type Frame, quoted, type Slots } from "./frame.ts";
import type { Sense } from "./lexicon.ts";

/*
 * How the grammar says what somebody asks. A line must be one that its command takes: a time that it can't take is left out, and
 * a question about what comes is none about what was.
 */

/** A time that begins before a moment of a line goes by itself: "since monday". */
const since = (time: string): string =>
  time === "" || /^(?:since|on|in|last|this|yesterday|today|before)\b/i.test(time) ? time : `since ${time}`;

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

/** Of machines only where some are named, or it is said that they are kept. */
export const mayWho: Frame["say"] = ({ thing: machines, project, person, senses }) => {
  const thing = machines || quoted(project);
  if (senses.has("approve") || (senses.has("decision") && !senses.has("mfa"))) return "approvals";
  const found = rights.find(([sense, right]) => senses.has(sense) && !(thing && right.startsWith("user")))?.[1];
  if (found !== undefined) return `who may ${found} ${/^ex/.test(found) ? thing : ""}`;
  return thing || person ? `who may exclude ${thing}` : "whoami";
};

/** Whether a time is over for certain: "on tuesday" may be next week. */
export const isBehind = (time: string): boolean => /\b(?:yesterday|last|ago|this morning)\b/i.test(time);

export const whyOf: Frame["say"] = ({ thing, span, senses }) => {
  const isOfRun = (senses.has("stop") || senses.has("start") || senses.has("backup")) && !senses.has("keep");
  return isBehind(span) && isOfRun ? `next ${thing} ${span}` : `why ${thing}`;
};

export const runsOf: Frame["say"] = ({ verb, thing, action, time, span, isOver }) => {
  if (action && isOver && !isBehind(span)) return `status ${quoted(action)}`;
  return !time && thing && !action && !verb
    ? `status ${thing}`
    : `next ${action ? "" : verb} ${action || thing} ${span}`;
};

/** What somebody has who asks for it; else what there is. */
export const ownOrAll: Frame["say"] = ({ isOwn, span, senses }) => {
  if (isOwn) return "mine";
  return senses.has("keep") || senses.has("keepUp") || senses.has("series") ? "exclusions" : `next ${span}`;
};

/** What a change is called in the history. */
const commands: readonly (readonly [Sense, string])[] = [
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
  const by = person && !about && !senses.has("who") ? `by ${person}` : person && `about ${person}`;
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
export const exclusionsOf: Frame["say"] = ({ person, thing, senses }) => {
  if (thing) return `status ${thing}`;
  if (person !== "" && !person.includes(" ")) return `exclusions ${person}`;
  return senses.has("others") ? "exclusions others" : "exclusions";
};
