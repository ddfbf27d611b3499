import { accounts } from "./account-frames.ts";
import { nowadays } from "./beside.ts";
import { asked, change, type Frame, oneOf, question, running, type Slots } from "./frame.ts";
import { others } from "./other-frames.ts";
import { questions } from "./question-frames.ts";
import { onRequests, requests } from "./request-frames.ts";
import { isEnd, isHeld, seriesFrames } from "./series-frames.ts";

/** The length in what was said of a warning: "20 min today". */
const lengthIn = (time: string): string =>
  /(?:\d[\d.,]*|an?|one|two|three|half an?|a quarter of an|ten|fifteen|twenty|thirty|forty-five)\s*(?:h|hrs?|hours?|m|mins?|minutes?)\b/i.exec(
    time,
  )?.[0] ?? "";

/** An end, or by how much it moves. */
const end = (time: string): string => {
  const typed = time.replace(/^(?:make (?:it|that|this)\s+)?(?:(?:at|to|by|around|about|=)\s+)?/i, "");
  // "make it 23h" is a time of day, "2h" is a length.
  if (/^(?:1[2-9]|2[0-4]) ?h$/i.test(typed)) return `until ${typed}`;
  // A length is added to the end, whenever that is.
  const said = /\b(?:more|longer|extra|another)\b/i.test(typed)
    ? typed.replace(/ (?:today|tonight|this evening)$/i, "")
    : typed;
  return /^(?:until|till?|untill|'till|for|another|an extra|extra|one more|a further|\+|half an?|an? (?:half|hour|couple)|\d[\d.,]* ?(?:h|hrs?|hours?|mins?|minutes?|m|more|days?|d)\b|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty-five|couple)\b.*(?:hour|hr|min|day|more))/i.test(
    said,
  )
    ? said
    : `until ${said}`;
};

const hasClock = /\d[:.h]\d|\d ?(?:am|pm|h|uhr)\b|\b(?:morning|noon|afternoon|evening|night|midnight)\b/i;

/** "monday morning at 6": what does not come up then stays off that morning. */
const offTime = (time: string): string => {
  const days = hasClock.test(time) ? undefined : /^from (.+) (?:through|thru) (.+)$/i.exec(time);
  // Whole days: nothing starts on the first of them.
  if (days) return `from ${days[1]} 0:00 until ${days[2]} 24:00`;
  const morning = /^(?:on )?((?:[a-z]+ )?(?:tomorrow|[a-z]+day) morning)(?: at [\d:]+(?: ?am)?)?$/i.exec(time)?.[1];
  return morning === undefined ? time : `on ${morning}`;
};

/** "2 hours more" lasts beyond what is so already. */
const isMore = (time: string): boolean =>
  /\b(?:more|longer|extra|another|additional)\b/i.test(time) &&
  !/\b(?:until|till?|than|past|every|each|from|on)\b/i.test(time);
const keepLine = ({ thing, time }: Slots): string =>
  isMore(time) ? `extend ${thing} ${end(time)}` : `keep ${thing} up ${time}`;

const hold = "all keep keepUp up need group run move action fromNow slot";

/** "dec 3" is a day behind "on". */
const skipLine = ({ thing, time }: Slots): string =>
  `skip ${thing} ${/^(?:on|this|next|today|tonight|tomorrow|once|$)/i.test(time) ? time : `on ${time}`}`;

/** "at 20:00 tonight" */
const clockAt = /^at (?:\d|noon|midnight)/i;

/** Exclusions. */
const exclusions: readonly Frame[] = [
  change("keepUp", keepLine, {
    may: `${hold} stop off done series`,
    not: "warn mute skip",
    needs: "thing",
    takes: "time",
    when: isHeld,
  }),
  ...seriesFrames,
  change("up", keepLine, {
    may: `${hold} keep`,
    not: "warn mute enable end",
    needs: "thing time",
    when: isHeld,
  }),
  change("", keepLine, { may: "need series all slot", needs: "thing time", when: isHeld }),
  // "drop build on the 3rd" leaves one time out.
  change("cancel", skipLine, {
    may: `${hold} end done series slot mine same`,
    not: "warn account",
    needs: "thing time",
    when: ({ time }) => !/\d[:h]|\b(?:until|till?|for|from|every|at|to)\b/i.test(time) && !nowadays.test(time),
  }),
  change("extend ofRun", "keep {thing} up {time}", { may: `${hold} move stop`, not: "warn off", needs: "thing time" }),
  change("keepOff", ({ thing, time }) => `keep ${thing} off ${offTime(time)}`, {
    may: "keep off need action group start turnOn up stop series release",
    not: "warn mute",
    needs: "thing",
    takes: "time",
  }),
  change("alone", "leave {thing} alone {time}", { may: "keep", needs: "thing", takes: "time" }),
  change("extend", ({ thing, time }) => `extend ${thing} ${end(time)}`, {
    may: "keep keepUp up need move run end go before stop",
    not: "warn series ofRun",
    needs: "thing time",
  }),
  change(
    "move|shorten|instead keep|keepUp|end|extend|up|shorten",
    ({ thing, time }) => `extend ${thing} ${end(time)}`,
    {
      may: "stop mine keep",
      not: "warn times",
      needs: "thing time",
      when: isEnd,
    },
  ),
  change("instead", ({ thing, time }) => `extend ${thing} ${end(time)}`, {
    may: "keep need mine",
    not: "warn times off",
    needs: "thing time",
    when: ({ time }) => /^(?:until|till?) /i.test(time),
  }),
  change("end", ({ thing, time }) => `extend ${thing} ${end(time)}`, {
    may: "keep mine stop move",
    not: "warn account",
    needs: "thing time",
  }),
  change("end", ({ thing, time }) => `extend ${thing} ${end(time)}`, {
    may: "keep keepUp mine stop move",
    isOrder: true,
    not: "warn account",
    needs: "thing time",
  }),
  change(
    "release",
    ({ thing, time }) => (clockAt.test(time) ? `shorten ${thing} to ${time.replace(/^at /i, "")}` : `end ${thing}`),
    {
      may: `${hold} off turnOff stop end anymore done`,
      not: "policy",
      needs: "thing",
      takes: "time",
      when: ({ time }) => time === "" || nowadays.test(time) || clockAt.test(time),
    },
  ),
  change("end|done", "end {thing}", {
    may: "all up keep anymore off turnOff stop action series need keepUp go release",
    not: "account mfa phone warn start",
    needs: "thing",
  }),
  change("end|release|done owned|mine", "end mine", {
    may: "all everything keep wait done what cancel series owned release go",
    not: "account mfa phone warn request undo",
    isOrder: true,
    when: ({ thing, person, action }) => !thing && !person && !action,
  }),
  change("extend owned", ({ time }) => `extend mine ${end(time)}`, { may: "keep mine keepUp", needs: "time" }),
  change("skip|end|prevent|release", "skip {action} {time}", {
    may: "run stop start action backup once next need keepUp keepOff off turnOff withdraw skip",
    needs: "action",
    takes: "time",
  }),
  change("skip", skipLine, {
    may: "run stop start action once next series keepUp keep keepOff",
    needs: "thing",
    takes: "time",
  }),
  change("warn", ({ thing, time }) => (time ? `warn me ${lengthIn(time)} before ${thing}` : `warn me about ${thing}`), {
    may: "stop off turnOff go run need before when list mine",
    not: "mute why anymore what who",
    needs: "thing",
    takes: "time",
    hasNoReason: true,
  }),
  change("mute|anymore mute|warn", "stop warning me about {thing}", {
    may: "warn stop turnOff off go run end before create anymore need release",
    not: "keep",
    needs: "thing",
    takes: "time",
    hasNoReason: true,
  }),
];

/** In the thread of a card, what it is about is meant. */
const onCards: readonly Frame[] = [
  change("", ({ time }) => `extend ${end(time)}`, {
    may: `${hold} extend instead shorten end stop done release turnOff`,
    not: "ofRun",
    on: "exclusion",
    needs: "time",
  }),
  change("end|done|release|stop|turnOff|withdraw|anymore", "end", {
    may: "keep need go off keepUp anymore undo up all run machine",
    not: "extend",
    on: "exclusion",
  }),
  change("warn", ({ time }) => (lengthIn(time) ? `warn me ${lengthIn(time)} before` : "warn me"), {
    may: "stop off turnOff go run need before when end list",
    not: "mute why anymore what who",
    on: "exclusion",
    takes: "time",
    hasNoReason: true,
    when: ({ time }) => time === "" || lengthIn(time) !== "",
  }),
  change("skip", "end {thing}", { may: `${hold} release`, on: "exclusion", needs: "thing" }),
  change("also", ({ thing, time }) => `keep ${thing} up ${time}`, {
    may: `${hold} extend`,
    not: "warn skip end release",
    on: "exclusion",
    needs: "thing",
    takes: "time",
  }),
  change("same", ({ time }) => (/\b(?:until|till?|to)\b/i.test(time) ? `extend ${time}` : `same ${time}`), {
    may: `${hold} extend also`,
    not: "warn skip end release",
    on: "exclusion",
    needs: "time",
    when: ({ time }) => /tomorrow|day\b/i.test(time) && !/ and |,/i.test(time),
  }),
  change("undo", "undo", { may: "change up next go", on: "exclusion", hasNoReason: true }),
  question(`${oneOf(asked)}|wait|extend|move`, "status", {
    may: `${asked} ${running} keep keepUp end done extend move need approve wait change mine group decision record request before`,
    on: "exclusion",
    takes: "time",
  }),
];

export const frames: readonly Frame[] = [
  ...[...exclusions, ...onCards, ...onRequests],
  ...[...accounts, ...others, ...requests, ...questions],
];
