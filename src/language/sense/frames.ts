import { accounts } from "./account-frames.ts";
import { nowadays } from "./beside.ts";
import { asked, change, type Frame, oneOf, question, running, type Slots } from "./frame.ts";
import { others } from "./other-frames.ts";
import { questions } from "./question-frames.ts";
import { onRequests, requests } from "./request-frames.ts";
import { isEnd, isHeld, isLeftOut, isOnDay, seriesFrames } from "./series-frames.ts";

/** The length in what was said of a warning: "20 min today". */
const lengthIn = (time: string): string =>
  /(?:\d[\d.,]*|an?|one|two|three|half(?: an?)?|a quarter of an|ten|fifteen|twenty|thirty|forty-five)\s*(?:h|hrs?|hours?|m|mins?|minutes?)\b/i.exec(
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

/** "monday morning at 6": what does not come up then stays off that morning. */
const offTime = (time: string): string => {
  const morning = /^(?:on )?((?:[a-z]+ )?(?:tomorrow|[a-z]+day) morning)(?: at [\d:]+(?: ?am)?)?$/i.exec(time)?.[1];
  return morning === undefined ? time : `on ${morning}`;
};

/** "2 hours more" lasts beyond what is so already. */
const isMore = (time: string): boolean =>
  /\b(?:more|longer|extra|another|additional)\b/i.test(time) &&
  !/\b(?:until|till?|than|past|every|each|from|on)\b/i.test(time);

/** "an hour longer", "until 20:00" or "an hour shorter"; what "down to 2 hours" counts from is asked in the form. */
const extendLine = ({ thing, time, senses }: Pick<Slots, "thing" | "time" | "senses">): string => {
  const by = end(time);
  if (!senses.has("shorten") || by.startsWith("until ")) return `extend ${thing} ${by}`;
  return /^to /i.test(time)
    ? `shorten ${thing}`
    : `shorten ${thing} by ${by.replace(/^for | (?:earlier|sooner)\b| (?:today|tonight|this evening)$/gi, "")}`;
};
const keepLine = (slots: Slots): string =>
  isMore(slots.time) ? extendLine(slots) : `keep ${slots.thing} up ${slots.time}`;

const hold = "all keep keepUp up need group run move action fromNow slot";

const clocks = /\b(?:at )?(?:\d{1,2}[:.]\d\d ?(?:am|pm|h)?|\d{1,2} ?(?:am|pm|h))\b/gi;
const months = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$/i;

/** "25 and 26 december", each as a day behind "on". */
function daysOf(time: string): readonly string[] {
  const said = time.replaceAll(clocks, "").replace(/\s+/g, " ").trim();
  const days = said.split(/,? and (?:on )?|, ?| ?& ?/);
  const [month = ""] = months.exec(said) ?? [];
  const isOfMonth = month !== "" && days.every((day) => /\d|(?:st|nd|rd|th)\b/.test(day));
  return days.map((day) => {
    const whole = isOfMonth && !months.test(day) ? `${day} ${month}` : day;
    return /^(?:on|this|next|today|tonight|tomorrow|once|$)/i.test(whole) ? whole : `on ${whole}`;
  });
}

/** Of several things or days, each is skipped by itself. */
const skips = (things: readonly string[], time: string): string =>
  things.flatMap((thing) => daysOf(time).map((day) => `skip ${thing} ${day}`)).join("; ");

/** "qa stop" names the run of a group. */
const skipLine = ({ thing, time, senses }: Slots): string => {
  const run = senses.has("start") || senses.has("turnOn") ? " start" : "";
  return skips(
    thing.split(" ").map((each) => `${each}${run}`),
    time,
  );
};

/** For which stops a warning is, where not for all: "20 min today" is for those of today. */
const warnLine = ({ thing, time }: Slots): string => {
  const before = lengthIn(time);
  const only = time
    .replace(before, " ")
    .replace(/\b(?:(?:each|every) (?:time|day|evening|night|stop|one)\b|daily|nightly|always)\b/gi, " ")
    .replace(/^\W*(?:(?:at|for|only|in|before|to) +)*|\W+$/gi, "");
  if (only) return `warn me about ${thing} ${before && `--before "${before}"`} ${only}`;
  return before ? `warn me ${before} before ${thing}` : `warn me about ${thing}`;
};

/** "at 20:00 tonight" */
const clockAt =
  /^(?:at|from) (?:\d|noon|midnight|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|a?quarter)\b)(?!.* (?:to|until|till?) )/i;

/** Exclusions. */
const exclusions: readonly Frame[] = [
  change("keepUp", keepLine, `thing time? | ${hold} stop off done series | warn mute skip`, { when: isHeld }),
  change("keepUp instead", keepLine, `thing time | ${hold} stop off | warn mute skip series`, { when: isOnDay }),
  ...seriesFrames,
  change("up", keepLine, `thing time | ${hold} keep | warn mute enable end`, { when: isHeld }),
  change("", keepLine, "thing time | need series all slot", { when: isHeld }),
  // "drop build on the 3rd" leaves one time out.
  change("cancel", skipLine, `thing time | ${hold} end done series slot mine same | warn account`, {
    when: ({ time }) => !/\d[:h]|\b(?:until|till?|for|from|every|at|to)\b/i.test(time) && !nowadays.test(time),
  }),
  change("extend ofRun", "keep {thing} up {time}", `thing time | ${hold} move stop | warn off`),
  change(
    "keepOff",
    ({ thing, time }) => `keep ${thing} off ${offTime(time)}`,
    "thing time? | all keep off need action group start turnOn up stop series release skip | warn mute",
  ),
  change("alone", "leave {thing} alone {time}", "thing time? | keep"),
  change("extend", extendLine, "thing time | keep keepUp up need move run end go before stop | warn series ofRun"),
  change(
    "move|shorten|instead keep|keepUp|end|extend|up|shorten",
    extendLine,
    "thing time | stop mine keep | warn times",
    { when: isEnd },
  ),
  change("instead", extendLine, "thing time | keep need mine | warn times off", {
    when: ({ time }) => /^(?:until|till?) /i.test(time),
  }),
  change("end", extendLine, "thing time | keep mine stop move | warn account times"),
  change("end", extendLine, "thing time | keep keepUp mine stop move | warn account times", { isOrder: true }),
  change(
    "release",
    ({ thing, time }) =>
      clockAt.test(time) ? `shorten ${thing} to ${time.replace(/^(?:at|from) /i, "")}` : `end ${thing}`,
    `thing time? | ${hold} off turnOff stop end anymore done | policy`,
    { when: ({ time }) => time === "" || nowadays.test(time) || clockAt.test(time) },
  ),
  // "call off the whole series for i-0a1" leaves alone what holds it now.
  change(
    "end|cancel|release|withdraw series",
    "withdraw {thing} series",
    "thing | all keep keepUp up release need stop | account mfa phone warn start",
  ),
  change(
    "end|done",
    "end {thing}",
    "thing | all up keep anymore off turnOff stop action series need keepUp go release | account mfa phone warn start",
  ),
  change(
    "end|release|done owned|mine",
    "end mine",
    " | all everything keep wait done what cancel series owned release go | account mfa phone warn request undo",
    { isOrder: true, when: ({ thing, person, action }) => !thing && !person && !action },
  ),
  change(
    "skip|end|prevent|release",
    ({ action, time }) => skips([action], time),
    "action time? | all run stop start action backup once next need keepUp keepOff off turnOff withdraw skip",
  ),
  change(
    "skip",
    skipLine,
    "thing time? | all run up stop start turnOn action once next series keepUp keep keepOff before",
  ),
  change(
    "warn",
    warnLine,
    "thing time? | stop off turnOff go run need before when list mine each series once slot move instead | mute why anymore what who keepUp keep",
    { hasNoReason: true },
  ),
  change(
    "mute|anymore|release mute|warn",
    "stop warning me about {thing}",
    "thing time? | warn stop turnOff off go run end before create anymore need release mine | keep",
    { hasNoReason: true },
  ),
];

/** Of the only thing that somebody keeps. */
const ofOwn: readonly Frame[] = ["extend", "move|instead", ""].map((must) =>
  change(
    must,
    ({ time, senses }) => extendLine({ thing: "mine", time, senses }),
    `time | ${hold} extend shorten instead | all everything series times ofRun warn`,
    { isAlone: true, when: ({ time }) => must !== "" || /^'?(?:un)?till? /i.test(time) },
  ),
);

const range = /\d ?(?:to|-|–) ?\d/i;

/** In the thread of a card, what it is about is meant. */
const onCards: readonly Frame[] = [
  change(
    "",
    ({ time, senses }) => extendLine({ thing: "", time, senses }).replace("  ", " "),
    `time | ${hold} extend instead shorten end stop done release turnOff | ofRun`,
    // "the same again on saturday, 18 to 22" is another hold.
    {
      on: "exclusion",
      when: (slots) =>
        !isLeftOut(slots) && (!slots.senses.has("same") || !range.test(slots.time) || / and |,/i.test(slots.time)),
    },
  ),
  change(
    "end|done|release|stop|turnOff|withdraw|anymore",
    "end",
    " | keep need go off keepUp anymore undo up all run machine | extend",
    { on: "exclusion" },
  ),
  change(
    "warn",
    ({ time }) => (lengthIn(time) ? `warn me ${lengthIn(time)} before` : "warn me"),
    "time? | stop off turnOff go run need before when end list | mute why anymore what who",
    { on: "exclusion", hasNoReason: true, when: ({ time }) => time === "" || lengthIn(time) !== "" },
  ),
  change("skip", "end {thing}", `thing | ${hold} release`, { on: "exclusion" }),
  change("undo", "undo", " | change up next go", { on: "exclusion", hasNoReason: true }),
  change("also", keepLine, `thing time? | ${hold} extend | warn skip end release`, { on: "exclusion" }),
  change(
    "same",
    ({ time }) => (/\b(?:until|till?|to)\b/i.test(time) ? `extend ${time}` : `same ${time}`),
    `time | ${hold} extend also | warn skip end release`,
    {
      on: "exclusion",
      when: ({ time }) => /tomorrow|day\b/i.test(time) && !/ and |,/i.test(time) && !range.test(time),
    },
  ),
  question(
    `${oneOf(asked)}|wait|extend|move`,
    "status",
    `time? | ${asked} ${running} keep keepUp end done extend move need approve wait change mine group decision record request before`,
    { on: "exclusion" },
  ),
];

export const frames: readonly Frame[] = [
  ...[...exclusions, ...ofOwn, ...onCards, ...onRequests],
  ...[...accounts, ...others, ...requests, ...questions],
];
