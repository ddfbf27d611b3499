import { dayPartNames, monthNames, plainWord, weekdayNames } from "./time-words/time-words.ts";

/** Whether any time or period can begin with this word. A cheap first look: most words of a line cannot. */
export function mayBeginTime(word: string): boolean {
  const text = firsts.has(word) ? word : plainWord(word);
  if (firsts.has(text)) return true;
  const code = text.charCodeAt(0);
  if (code >= 48 && code <= 57) return true;
  const glued = text.search(/[-–—+&/]/);
  return glued === 0 || (glued > 0 && firsts.has(text.slice(0, glued))) || /^\.\d/.test(text);
}

const firsts: ReadonlySet<string> = new Set([
  ...[...weekdayNames.keys(), ...monthNames.keys(), ...dayPartNames.keys()],
  // What stands in front of a time, numbers and lengths, and days and times with a name.
  ...(
    "until till til from to by through thru for during throughout over make since on in at between around about approximately " +
    "approx roughly ca up of @ , the this my our " +
    "a an one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen " +
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety couple few several some half quarter another extra " +
    "additional further first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth " +
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth last next following coming " +
    "today tomorrow tonight overnight yesterday day week weekend all whole entire rest remainder end start beginning noon " +
    "midnight eod cob eob eow eom close christmas xmas new nye silvester after before lunch lunchtime dinner breakfast dawn dusk " +
    "sunrise sunset forever later soon asap early late mid " +
    "starting beginning both daily nightly everyday biweekly fortnightly weekdays workdays weekends working business work " +
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays mornings afternoons evenings nights"
  ).split(" "),
]);
