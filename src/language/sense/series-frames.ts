import { change, type Frame, type Slots } from "./frame.ts";

/** A series that there is: "my weekly build" without the days on which it comes. */
const isSeries = ({ senses }: Slots): boolean => senses.has("series") && !senses.has("times") && !senses.has("each");
const isMoved = ({ senses, time }: Slots): boolean => senses.has("move") && fromDay.test(time);
export const isHeld = (slots: Slots): boolean => !isSeries(slots) && !isMoved(slots);
const weekdays = /^(?:on )?(?=(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b.*\d)/i;

/** "weekly on tuesday 18-20" makes a series, "the weekly one until 23:30" changes it. */
const seriesLine = ({ thing, time, senses }: Slots): string =>
  weekdays.test(time) ? `keep ${thing} up every ${time.replace(weekdays, "")}` : editLine({ thing, time, senses });

/** What becomes another way in a series. */
function editLine({ thing, time, senses }: Pick<Slots, "thing" | "time" | "senses">): string {
  const isEnd = senses.has("end") && /^(?:on|at|by|with) /i.test(time);
  const said = isEnd ? time.replace(/^\w+/, "until") : time.replace(/^(?:every|on|at|to|from \w+day to) /i, "");
  return `edit ${thing} every ${said}`;
}

/** What a series can be changed to: another end, other times of day or other days of the week, but no length and no single day. */
const isEdit = ({ time }: Slots): boolean =>
  !/\b(?:hours?|hrs?|mins?|minutes?|longer|more|for|in|next|days?|weeks?)\b|\bfrom\b(?! (?:\w+day to|\d))/i.test(
    time,
  ) &&
  (/\b(?:until|till?|through|thru)\b|\d ?(?:-|–|to|until|till?) ?\d/i.test(time) || onlyWeekdays.test(time));
const onlyWeekdays =
  /^(?:every |on |to |from \w+day to )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: and | \+ |, ?| |$))+$/i;
const isSeriesEdit = (slots: Slots): boolean =>
  isSeries(slots) &&
  (isEdit(slots) ||
    weekdays.test(slots.time) ||
    (slots.senses.has("end") && !slots.senses.has("cancel") && /^(?:on|at|by|with) /i.test(slots.time)));

/** "from thursday to friday", "tomorrow to friday" */
const fromDay = /^(?:on |from |of )?(\S.*?) to (?:on )?(\S.*)$/i;
/** An end at another time, and no day at another one. */
export const isEnd = ({ time }: Slots): boolean => !fromDay.test(time) && !onDay.test(time);
/** "on friday until 22:00" is a time of its own. */
const onDay = /^on .*\S (?:un)?till? \S/i;
export const isOnDay = ({ time }: Slots): boolean => onDay.test(time);

/** A day without an hour. */
const isDay =
  /^(?:on )?(?:the )?(?:next |this )?(?:tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd|th)|(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?: \d{1,2}(?:st|nd|rd|th)?)?|\d{4}-\d\d-\d\d)$/i;

/** "I don't need the 10th", "cancel all thursdays": times that are not needed, and no new end. */
export const isLeftOut = ({ senses, time }: Slots): boolean =>
  onlyWeekdays.test(time) && senses.has("times")
    ? senses.has("end") || senses.has("withdraw") || senses.has("release")
    : isDay.test(time) && (["cancel", "release", "withdraw", "skip"] as const).some((sense) => senses.has(sense));

const hold = "all keep keepUp up need group run move action fromNow";

/** Series that are made, and those that there are. */
export const seriesFrames: readonly Frame[] = [
  change(
    "series",
    seriesLine,
    `thing time | ${hold} keep mine extend shorten instead end change before | warn mute skip off once times`,
    { when: isSeriesEdit },
  ),
  // "tomorrow's build until 23:00": one time of it
  change(
    "slot",
    ({ thing, time }) =>
      `edit ${thing} every ${time.replace(/^(?:on )?(.*?) ((?:un)?till? .*|\S*\d.*)$/i, "$2 on $1")}`,
    `thing time | ${hold} keep keepUp mine extend shorten instead end change slot once | warn mute skip off times move start`,
    { when: ({ time }) => /^.*? (?:(?:un)?till? |\d[\d:]* ?(?:-|–|to))/i.test(time) },
  ),
  change(
    "times extend|shorten|instead|move",
    editLine,
    `thing time | ${hold} keep mine end change before stop series | warn mute skip off once`,
    { when: isEdit },
  ),
  change(
    "move keep|keepUp|series|once|slot|same|mine",
    ({ thing, time }) => `move ${thing} ${time.replace(fromDay, "on $1 to $2")}`,
    "thing time | mine once keep keepUp series need change slot same | warn mute skip times off",
    {
      when: ({ time, senses }) =>
        (senses.has("once") || !senses.has("series")) && fromDay.test(time) && !/\d[:h]|until/i.test(time),
    },
  ),
  // "end i-0a1 every thursday", "cancel my thursdays", "I don't need the 10th"
  change(
    "end|cancel|release|withdraw|skip",
    ({ thing, time }) =>
      isDay.test(time) ? `leave out --day "${time.replace(/^on /i, "")}"` : `withdraw ${thing} ${time}`,
    "thing? time | all mine need series slot once keep keepUp end cancel anymore | account mfa request warn undo",
    { isAlone: true, when: (slots) => isLeftOut(slots) && !(slots.thing && isDay.test(slots.time)) },
  ),
  change(
    "skip series|keep|keepUp|slot",
    ({ thing, time }) =>
      `leave out ${thing} on ${time.replace(/^(?:on |every )?(?:\w+day|mon|tue|wed|thu|fri|sat|sun) (?=\w)|^on /i, "")}`,
    "thing time | mine need series keep keepUp once slot | warn mute action times off",
    { hasNoReason: true, when: ({ time }) => !/\d[:h]|until|\bfor\b/i.test(time) },
  ),
];
