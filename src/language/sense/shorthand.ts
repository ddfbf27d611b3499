import type { Word } from "../tokenize.ts";
import type { Names } from "./names.ts";

/** What phones and hurry make of words: the word, and how it is typed. It counts only where no known name is typed so. */
const spellings = `
about abt | account acct acc accnt acnt a/c | accounts accts accs | actually actualy | afternoon aft arvo | again agn | already alrdy
and n nd | anymore anymor | anyone any1 ne1 | anything anythng anyting anythin | apparently afaik iirc | are r | aren't arent
back bck bk | backup bkp bkup bckp bckup back-up | backups bkps bkups back-ups | be b | because becuz becoz becos becuse
before b4 bevor bfore befor | between btwn | but bt | can cn | can't cant | cancel cncl cxl | change chg chng chnge | changed chgd chngd
changes chgs | check chk chck | checking chkin | could cld cud | couldn't couldnt | credentials creds | customer cust | delete del
didn't didnt | doesn't doesnt | don't dont dnt | dunno idk | everybody evrybody | every evry evrey | everyone every1 | everything evrything everthing
exception excep exeption exepction | exclude exlude excud | extend xtend exted | finished finshed | from frm | give gimme giv
got gt | group grp | groups grps | hadn't hadnt | hasn't hasnt | have hv hav | haven't havent | he's hes | holidays hols | instance inst | instances insts
isn't isnt | keep kp kepp | know kno | late l8 | later l8r | leave leav | let's lets | machine mach | machines machs
make mk | maintenance maint mtce | manager mgr | maybe mby mayb maybs mebbe perhps | meeting mtg | meetings mtgs | message msg | messages msgs
might mite | minutes mintues minuts | mustn't mustnt | need ned nede | needn't neednt | never nevr | nevermind nvm | next nxt
night nite nihgt nigth | now rn atm | okay k okey | people ppl | permission perm | permissions perms privs | phone fone | please pls plz plx pleas
previous prev | probably prob probs prolly probly prbly | project proj | projects projs | reason rsn | remind rmnd | release rel rls
remove rmv remov rmove rm | removed rmvd | request req rqst reqest | requested reqd | requests reqs | reschedule resched | running runnin
schedule sched shedule | schedules scheds | server svr srvr srv | servers svrs srvrs srvs | she's shes | should shd shld shud shoud
shouldn't shouldnt | snapshot snap | snapshots snaps | someone some1 sum1 | something smth sth somethin smthg | still stil
stop stpo sotp | stopped stoped | stopping stoping | thanks thx tx tnx thnx | that tht | them em | they're theyre | they've theyve | though tho | midnight midnite | instead instd | going gona | starting startin | other othr
through thru thorugh throught | ticket tkt tckt | today 2day tdy tday todya | today today's todays | tomorrow tmrw tmr tmrrw tmw 2moro 2morrow 2mrw
tomorrow tomoro tomorro tmoro tmrow tomoz tomorow tommorow tommorrow | tomorrow tomorrow's tomorrows tmrw's | tonight 2nite 2night tonite tonigth
tonight tonight's tonights tonites tonite's | morning morn | sunday suns sun's | monday mons mon's | friday fris fri's | saturday sats sat's | undecided tbd tbc tba | until untill unitl utill untl unti utnil | update upd | user usr | users usrs
volume vol | volumes vols | wasn't wasnt | weekend wknd wkend week-end | weren't werent | what wat wot wut wht wha | what's wats wots whats | when wen eta
where's wheres | which wich whch | who's whos | why y | will wil | with wiv wth w/ | without w/o wo/ | won't wont | working workin
would wld wud | wouldn't wouldnt | yesterday yday y'day yest ystrday yesturday yestarday | yesterday yesterday's yesterdays ydays | you u ya | your ur
`;

const table: ReadonlyMap<string, string> = new Map(
  spellings
    .trim()
    .split(/[|\n]/)
    .flatMap((line) => {
      const [meant = "", ...typed] = line.trim().split(" ");
      return typed.map((each) => [each, meant] as const);
    }),
);

/** Letters and figures that are words only beside certain others: "n y", "will it b off". */
const single: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  b: (before, after) =>
    /^(?:to|will|shall|should|shd|shld|can|cn|could|must|would|might|may|not|it|2)$/.test(before) ||
    /^(?:off|up|on|down|back)$/.test(after),
  n: (before, after) => before !== "" && after !== "",
  r: (_, after) => after !== "",
  y: (before, after) => after !== "" || /^(?:n|and|but|so)$/.test(before),
  k: (before, after) => (before === "") !== (after === ""),
  eta: (_, after) => /^(?:|for|of|on)$/.test(after),
};

/** "for bob", but not "until 4", nor "4 servers". */
const isForSomebody = (before: string, after: string, isPerson: boolean): boolean =>
  (isPerson || /^(?:me|us|him|her|them|my|our|his|their|shift|the)$/.test(after)) &&
  !/\d|^(?:at|until|til|till|by|from|to|before|after|around|about|on|in|for|and|or|every|only|just|all|keep|next|last|tomorrow|today|tonight|morning|evening|night|[a-z]+day|mon|tue|wed|thu|fri|sat|sun)$/.test(
    before,
  );

const asWord: Readonly<Record<string, string>> = { "2": "to", "4": "for" };

/** Signs around a word, which stay. */
const [signsBefore, signsAfter] = ["([*_\"“'", ")].,!?;:*_…\"”'"];

/**
 * The words as they would be written out: "2nite" is tonight, "stg" staging. A name is written out where it is certain. As many words
 * as were typed.
 */
export function writtenOut(words: readonly Word[], names: Names): readonly Word[] {
  const known = written.get(words);
  if (known?.names === names) return known.words;
  const out = newlyWritten(words, names);
  written.set(words, { names, words: out });
  return out;
}

/** A line is read more than once. */
const written = new WeakMap<readonly Word[], { readonly names: Names; readonly words: readonly Word[] }>();

function newlyWritten(words: readonly Word[], names: Names): readonly Word[] {
  const bare = words.map(({ value, isQuoted }) => (isQuoted ? "" : parted(value)[1].toLowerCase().replace(/’/g, "'")));
  return words.map((word, at) => {
    const typed = bare[at] ?? "";
    if (typed === "" || typed.length > 20) return word;
    const meant = meantBy(bare, at, names);
    if (meant === undefined) return word;
    const [front, , end] = parted(word.value);
    return { ...word, value: `${front}${meant}${end}` };
  });
}

function meantBy(bare: readonly string[], at: number, names: Names): string | undefined {
  const [before = "", typed = "", after = ""] = [bare[at - 1], bare[at], bare[at + 1]];
  const figure = asWord[typed];
  if (figure !== undefined)
    return isForSomebody(before, after, names.at(bare, at + 1)?.kind === "person") ? figure : undefined;
  const meant =
    table.get(typed) ??
    /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|evening|night|weekend)(?='s$)/.exec(typed)?.[0];
  if (meant === undefined) return names.at(bare, at) ? undefined : names.short(bare, at);
  if (names.at(bare, at)) return undefined;
  const fits = single[typed];
  return fits === undefined || fits(before, after) ? meant : undefined;
}

function parted(value: string): readonly [string, string, string] {
  let [from, to] = [0, value.length];
  while (from < to && signsBefore.includes(value[from] ?? "")) from++;
  while (to > from && signsAfter.includes(value[to - 1] ?? "")) to--;
  return [value.slice(0, from), value.slice(from, to), value.slice(to)];
}
