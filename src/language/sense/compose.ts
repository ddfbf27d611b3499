import { clausesOf } from "./clauses.ts";
import { composeRequests } from "./compose-requests.ts";
import { withExceptions, withoutWhatDoesNotCount } from "./contrasts.ts";
import { type Joined, joinedBy, joining, negation, rulesFrom } from "./joining.ts";
import type { Sense } from "./lexicon.ts";
import { withNewName } from "./new-name.ts";
import { withStranger } from "./people.ts";
import { content, has, type Known, lastWord, type Tag } from "./tag.ts";
import { withThatDay } from "./that-day.ts";
import { withWording } from "./wording.ts";

/**
 * Tags with the senses that several words have together: "don't let web go down" keeps it up, "turn off" is one word. Only words of one
 * clause go together. A negation that is used up loses its place: what is left negates the line.
 */
export function composed(all: readonly Tag[], card?: Known["card"]): readonly Tag[] {
  return clausesOf(
    withStranger(
      withWording(withThatDay(withNewName(withExceptions(withoutWhatDoesNotCount(all, card === "exclusion"))))),
    ),
  ).flatMap(({ tags }) => {
    const clause = joining(tags);
    ofNouns(clause);
    joinedBy(particles, clause);
    negated(clause);
    joinedBy(runs, clause);
    keptOrNot(clause);
    isOver(clause);
    composeRequests(clause, card === "request");
    return clause.all;
  });
}

const isSubject = (tag: Tag | undefined): boolean => /^(?:i|we|he|she|they|it)$/.test(tag?.said ?? "");
const somebody = "=@person|@pronoun|#account|him|her";
const something = "=@thing|@pronoun";

/** Words that go together. `joining.ts` says how a rule is written. */
const particles = rulesFrom([
  // "I'll tell you" warns nobody.
  ["=i|we|i'll|we'll|i'd|i'm +#warn", "nothing"],
  ["=@person +tells|informs +=@self|us", "nothing"],
  ["#warn +=you|u", "nothing"],
  ["NEGATED +forget", "nothing"],
  ["old +=#account", "nothing"],
  ["=#group out|made", "nothing"],
  ["take|pull|get|kick|throw >=@thing out", "detach", { with: "@selector" }],
  // "I disabled frank by mistake", "I renamed the wrong project"
  [
    "=@self by_mistake|mistake|by_accident|accidentally|mistakenly|in_error|wrong",
    "undo",
    {
      when: (_, all) =>
        all.some((tag) => has(tag, "disable", "enable", "rename", "email", "detach", "offboard", "keepUp", "end")),
    },
  ],
  // "people keep asking"
  ["keep|keeps|kept +=@unknown", "nothing", { when: ([, next]) => /ing$/.test(next?.text ?? "") }],
  // "could we have the old name back"
  ["#rename back", "undo", { with: "@project|@credential|@selector", unless: "to|into|as" }],
  ["=my|the|our|a|night|late|early|day|his|her|next|last|@time +shift", "nothing"],
  // "prevent me 10 minutes before", "send me a little note"
  ["prevent|remember +=@self|us", "warn", { unless: "from|until" }],
  [
    "send|give|drop|get|leave|write|have note|message|notice|line|word|sign|hint|ping|reminder|warning",
    "warn",
    { with: "@self|us" },
  ],
  ["i|we|i'll|we'll|will +revert", "nothing"],
  ["help +desk", "nothing"],
  ["no_need #warn", "mute", { also: "#anymore" }],
  ["which|what|between|normal|usual|regular|working|opening +hours|hrs", "timetable"],
  ["sleep|sleeping +on", "nothing"],
  ["tell|say +=@self|us +about", "status"],
  ["tell|inform +=@self|us +=#what|#who|#why|#howLong|#howMuch|how|whether|if", "nothing"],
  ["let_me_know|let_us_know|lmk +=#what|#who|#why|#howLong|#howMuch|how|whether|if", "nothing"],
  ["=what happens|happen", "status", { when: ([, last], all) => all.at(-1) === last }],
  // "how do I extend it", "what does offboarding do"
  ["how +do|can|could|would|should|must +=@self|we|one|you", "help", { unless: "@thing|often|many|much|long" }],
  ["how +to", "help", { unless: "@thing" }],
  ["=what does do|mean", "help"],
  ["=whom|who do|should|must|can|could|may|to ask|contact|ring|call|phone|bother|approach|need", "allowed"],
  ["i|we|i'll|we'll|i'd|will|would|might|always|never|often|usually|easily|otherwise|to +forget", "nothing"],
  ["has|have|had|already +submitted|filed", "nothing"],
  ["but +=only +=@time", "nothing"],
  // "somebody's OK"
  ["a|an|the|her|his|their|whose|somebody's|someone's|anyone's +ok|okay|nod|go-ahead|consent", "approve"],
  // "nothing may stop staging, qa or build" is about all of them.
  ["=@thing +or|nor +=@thing", "nothing", { with: "NEGATED|#warn" }],
  ["last|lasts +=@time", "nothing"],
  ["got|was|were|been +moved|shifted|postponed|rescheduled", "nothing", { unless: "@thing|@action" }],
  // "b1 and b2 are enough"
  ["=@thing =is|are +enough", "nothing"],
  // "stop keeping web up" ends what "keep web up" makes.
  [
    "^stop|quit|cease +keeping|holding|excluding",
    "release",
    {
      unless: "NEGATED|with|eye",
      also: "#up|#off",
      when: ([, keep], all) => !isSubject(all.find((_, at) => all[at + 2] === keep)),
    },
  ],
  // "let staging turn until ten"
  [
    "let >=@thing +go|turn|run|live +=@time",
    "keepUp",
    { when: ([, , , time]) => /^(?:un)?till? /i.test(time?.text ?? "") },
  ],
  ["take|taking|takes|took >=@thing over", "keep", { unless: "@policy" }],
  ["=#keep =over from +@person", "nothing"],
  ["let #go", "release", { unless: "#up|#run|#off|#stop" }],
  [`let ${something} #off|#stop|#turnOff`, "release", { unless: "#keep|NOT", also: "#go" }],
  // "kill i-0b2" stops it, "kill the hold on i-0b2" does not.
  ["kill|axe >=@thing", "stop", { unless: "#keep|#warn|#mute|#extend" }],
  [`lock|shut|kick|boot ${somebody} out`, "disable"],
  ["take|get|pull >=#mfa out|away", "reset"],
  [`let ${somebody} in|back`, "enable", { unless: "#phone|#mfa" }],
  [`take|put ${somebody} back`, "undo"],
  ["killed|axed|nuked +=@person", "disable"],
  ["take|took|taking =#request back", "withdraw"],
  // "before Carol sees it"
  ["before >@person|she|he|they|anyone|anybody|somebody|someone +sees|notices|reads|approves|decides", "nothing"],
  [`drag|stretch|draw|push|carry ${something} ~out|on|back`, "extend"],
  [`cut ${something} ~short|back|down`, "shorten"],
  [`pull|bring ${something} ~forward`, "shorten"],
  [`call ${something} ~off`, "end"],
  ["sign =@pronoun ~off", "approve"],
  // "make 20:15 out of it"
  ["=make >=@time +out", "nothing"],
  // "take care of it", unlike "take her rights away"
  ["take|takes|took|taking|taken", "go", { unless: "@policy|#policy|@person|back|off" }],
  // "please plan qa to be up on friday"
  ["plan|schedule|arrange|organise|organize >=@thing =#up|#keep|#off", "nothing"],
  // "let qa sleep until monday"
  ["=let|lets >=@thing sleep|rest", "keepOff", { unless: "#keep|NEGATED" }],
  ["put|have|leave >=@thing +on =@time", "keepUp", { with: "#series" }],
  ["#go #off|#up", "turnOff", { when: ([, off]) => has(off, "off") }],
  ["#go #off|#up", "turnOn"],
]);

const runs = rulesFrom([
  // "there's no need for qa to come up"
  ["no_need #turnOn|#start", "keepOff"],
  ["no_need >=@action", "skip"],
  // "qa can go down tonight"
  ["=@thing =can|may|could #stop|#turnOff", "release", { unless: "#keep|#warn|#mute|#extend" }],
  ["#keep out", "skip", { unless: "@person" }],
  ["no >=@thing|@action", "skip", { unless: "#need|#extend|#keepUp|#release" }],
  ["starting +=@time|now", "fromNow"],
  // "the reports backup must not run"
  ["NEGATED", "skip", { with: "@action", unless: "#skip", also: "#run|#offboard|#up|#need" }],
  // "stop warning me", "kill the staging alert", but not "a warning before the stop".
  ["^#stop|#end|#prevent|#undo|#turnOff #warn", "mute", { unless: "#mute|before" }],
  ["#prevent #stop|#turnOff|#off", "keepUp"],
  // "before web drops"
  ["=before =@thing >drops|drop", "stop"],
]);

const weekday = /^(?:on )?(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?s?$/i;
const slot = /^(?:hold|slot|series|window|booking|reservation|thing|run|session|evening|one)$/;

const isNoun = (tag: Tag): boolean =>
  has(tag, "end", "move", "extend", "shorten") && !/^(?:more|longer|extra|less|shorter|earlier|sooner)$/.test(tag.text);

/** "my thursday build slot" comes again, and "and build too" is one more. */
function ofNouns({ all, put, places, become }: Joined): void {
  const [first, second] = all.filter(content);
  for (const [at, tag] of all.entries()) {
    const [before, next, after] = [all[at - 1], all[at + 1], all[at + 2]];
    // "release qa" lets it go; in "the release build" and in "for the release" it is a noun.
    const isSubject = /^(?:is|are|was|should|shall|will|must|needs|runs|goes)$/.test(after?.said ?? "");
    if (tag.text === "release" && !(tag === first && second?.kind === "thing" && !isSubject))
      put(at, {
        kind:
          ((at > 0 || isSubject) && next?.kind === "thing") ||
          /^(?:the|a|our|my|this|that|next|big)$/.test(before?.text ?? "")
            ? "small"
            : "unknown",
      });
    // "did the backup run"
    if (at === 0 && tag.text === "did" && all.some((each) => has(each, "run", "backup", "stop", "start")))
      put(at, { kind: "small" });
    // "for the update"
    if (all[0]?.text === "for" && isNoun(tag) && all.every(({ kind }) => kind !== "thing"))
      put(at, { kind: "unknown" });
    const isOwn =
      /^(?:my|our|weekly)$|['’]s$/i.test(before?.words[0]?.value ?? "") ||
      all.some((each) => has(each, "instead", "extend", "shorten", "move", "end"));
    const isTimed = all.some((each) => each !== tag && each.kind === "time" && /\d|^(?:un)?till? /i.test(each.text));
    const isSlotNoun = slot.test(after?.text ?? "") || /^(?:my|our|the)$|['’]s$/i.test(before?.words[0]?.value ?? "");
    const isSlot = (isOwn || slot.test(after?.text ?? "")) && isTimed && next?.kind === "thing" && isSlotNoun;
    // "tomorrow's build begins at 16:00"
    const isOfDay =
      tag.kind === "time" &&
      /['’]s$/.test(lastWord(tag)) &&
      all.slice(at + 1).find((each) => content(each) && each.text !== "release")?.kind === "thing";
    if (isOfDay && isTimed) all[at] = { ...tag, senses: new Set(["slot"]) };
    if (tag.kind === "time" && weekday.test(tag.text) && isSlot)
      put(at, { kind: "sense", text: "", senses: new Set(["series"]) });
  }
  const also = all.findIndex(({ text }) => text === "too" || text === "also");
  const named = all.filter((tag) => content(tag) && tag.kind !== "time");
  const isMore = named.every((tag) => tag.kind === "thing" || has(tag, "keepUp", "need", "keep"));
  if (also !== -1 && named.length > 0 && isMore) become("also", also, ...places("also"));
}

/** "don't stop", "can't log in". */
function negated({ all, within, put, become, places }: Joined): void {
  for (const [at, { text }] of all.entries()) {
    if (!negation.test(text) || isStoppedLater(all)) continue;
    const is = (place: number, ...words: readonly string[]) => words.includes(all[place]?.text ?? "");
    const [need, stop] = [within(at, "need", "anymore"), within(at, "stop", "off", "turnOff", "end")];
    const [start, login] = [within(at, "start", "turnOn"), within(at, "login")];
    const isOfPhone = places("phone", "mfa").length > 0;
    // "staging not before 10 up"
    const from = all[at + 1]?.text === "before" ? all[at + 2] : undefined;
    const starts = places("up", "start", "turnOn", "run");
    if (
      from &&
      /^(?:at )?\d/.test(from.text) &&
      starts.length > 0 &&
      places("stop", "off", "turnOff", "keep").length === 0
    ) {
      put(at + 1);
      put(at + 2, { kind: "time", text: `until ${from.text.replace(/^at /, "").replace(/^(\d{1,2})$/, "$1:00")}` });
      become("keepOff", at, ...starts);
      continue;
    }
    if (within(at, "warn") !== -1) become("mute", at, within(at, "warn"), ...places("need", "anymore"));
    else if (within(at, "mute") !== -1) continue;
    else if (within(at, "keep") !== -1 && isNoMore(all, at))
      become("release", at, within(at, "keep"), ...places("anymore"));
    else if (within(at, "keep") !== -1 || within(at, "extend") === at + 1) become("dontKeep", at);
    else if (places("keep").some((place) => place < at)) continue;
    else if (login !== -1 && text.startsWith("c")) become("lockedOut", at, login);
    else if (isOfPhone && text === "no") continue;
    else if (need !== -1 && start > need) become("keepOff", at, need, start);
    // "nothing must stop"
    else if (need !== -1 && (stop === -1 || need + 1 < stop) && !is(need + 1, "to")) become("release", at, need);
    else if (has(all[stop], "end") && places("owned", "slot").length > 0) continue;
    else if (stop !== -1 && !isOfPhone && !is(stop - 1, "from") && !is(at - 1, "from") && !isLater(all, at, stop))
      become("keepUp", at, ...places("stop", "off", "turnOff", "end"));
    else if (start !== -1) become("keepOff", at, start);
  }
}

/** "don't keep it any longer", but not "we don't keep it any longer", nor "any longer than needed". */
const isNoMore = (all: readonly Tag[], at: number): boolean =>
  /^(?:don't|dont|not|needn't)$/.test(all[at]?.text ?? "") &&
  (at === 0 ||
    /^(?:do|need|should|must|to|please|pls|so)$/.test(all[at - 1]?.said ?? "") ||
    has(all[at + 1], "need")) &&
  all.some((tag, place) => place > at && has(tag, "anymore") && all[place + 1]?.text !== "than");

/** "an hour later than usual" */
const isStoppedLater = (all: readonly Tag[]): boolean =>
  all.some((tag) => has(tag, "ofRun") && /\blater\b/i.test(tag.text));

/** "not only", "not before two": what is negated stands between. */
const isLater = (all: readonly Tag[], from: number, to: number): boolean =>
  all.slice(from + 1, to).some(({ text }) => /^(?:only|just|sure|know|why|if|whether)$/.test(text));

const copula = /^(?:is|are|was|were|got|am|has|have|i'm|im|we're|were|it's|its|i've|ive|we've|everything's)$/;

/** "the test on web is over", "I'm finished with my test run": what is over needs no other word. Only where a thing is named. */
function isOver({ all, put, places }: Joined): void {
  const [done = -1] = places("done");
  const is = all.findIndex(({ said }) => copula.test(said));
  const isSaid = is !== -1 && is <= done && all.some(({ kind }) => kind === "thing");
  if (!isSaid || all.some(({ text }) => negation.test(text))) return;
  for (const [at, tag] of all.entries()) if (tag.kind === "unknown" && !/\d/.test(tag.text)) put(at);
}

const listed = /^(?:exclusions|exceptions|holds|reservations|bookings)$/;

/** "keep … up", "need … no more". */
function keptOrNot({ all, put, become, places }: Joined): void {
  const is = (...senses: readonly Sense[]) => places(...senses).length > 0;
  if (is("keepUp"))
    for (const [at, { text }] of all.entries()) {
      // "must not stop before ten" lasts until then.
      const time = all[at + 1];
      if (text !== "before" || time?.kind !== "time") continue;
      put(at);
      put(at + 1, { ...time, text: `until ${time.text.replace(/^(?:at|around) /i, "")}` });
    }
  if (is("keepUp", "keepOff", "release", "dontKeep")) return;
  const [need, up, off] = [places("need"), places("up"), places("off", "stop", "turnOff")];
  const exempt = is("start") || off.length === 0 ? [] : places("exempt");
  // "exclusions in dev" asks for nothing to be kept.
  const kept = places("keep").filter((at) => !has(all[at], "offboard") && !listed.test(all[at]?.text ?? ""));
  const keeps = [...kept, ...(is("warn", "mute") ? [] : need)];
  const isOfMachines =
    (!/^(?:she|he)$/.test(all[(need[0] ?? 0) - 1]?.said ?? "") || all.some(({ kind }) => kind === "thing")) &&
    all.every(({ kind }) => !/^(?:person|project|credential|address)$/.test(kind)) &&
    !is("email", "mfa", "account", "reset", "login");
  if (exempt.length > 0) become("keepUp", ...exempt, ...off);
  else if (keeps.length === 0) return;
  else if (is("anymore")) become("release", ...keeps, ...places("anymore"));
  else if (up.length > 0 && off.length === 0) become("keepUp", ...keeps, ...up);
  else if (kept.length > 0 && is("off") && up.length === 0) become("keepOff", ...kept, ...off);
  else if (off.length > 0 || is("when", "why", "who", "what", "howLong")) return;
  else if (need.length > 0 && isOfMachines) become("keepUp", ...need);
  else if (!is("alone")) become("keepUp", ...kept);
}
