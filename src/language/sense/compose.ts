import { clausesOf } from "./clauses.ts";
import { ofRequests } from "./compose-requests.ts";
import { withoutContrasts, withoutSeriesOfOne } from "./contrasts.ts";
import { type Joining, joining, negation } from "./joining.ts";
import { particleOf } from "./particles.ts";
import { withReservations } from "./reserved.ts";
import type { Tag } from "./tag.ts";
import { withWording } from "./wording.ts";

/**
 * Tags with the senses that several words have together: "don't let web go down" keeps it up, "turn off" is one word. Only words of one
 * clause go together. A negation that is used up loses its place: what is left negates the line.
 */
export function composed(all: readonly Tag[], isOfRequest = false): readonly Tag[] {
  return clausesOf(withReservations(withWording(withoutSeriesOfOne(withoutContrasts(allOf(all)))))).flatMap(
    ({ tags }) => composedClause(tags, isOfRequest),
  );
}

/** "nothing may stop staging, qa or build" is about all of them. */
function allOf(all: readonly Tag[]): readonly Tag[] {
  if (!all.some(({ text, senses }) => negation.test(text) || senses.has("warn"))) return all;
  return all.map((tag, at) =>
    /^(?:or|nor)$/.test(tag.text) && all[at - 1]?.kind === "thing" && all[at + 1]?.kind === "thing"
      ? { ...tag, kind: "small", text: "and" }
      : tag,
  );
}

function composedClause(tags: readonly Tag[], isOfRequest: boolean): readonly Tag[] {
  const clause = joining(tags);
  toldByOneself(clause);
  ofSeries(clause);
  alsoNamed(clause);
  asNoun(clause);
  asVerb(clause);
  withParticles(clause);
  withNegations(clause);
  runsAndStarts(clause);
  keptOrNot(clause);
  isOver(clause);
  ofRequests(clause, isOfRequest);
  return clause.all;
}

/** "release qa" lets it go; in "the release build" and in "for the release" it is a noun. */
function asNoun({ all }: Joining): void {
  const said = all.filter(({ kind }) => kind !== "small");
  const isFirst = said[0]?.text === "release" && said[1]?.kind === "thing";
  for (const [at, tag] of all.entries())
    if (tag.text === "release" && !(isFirst && tag === said[0])) {
      const isNamed =
        (at > 0 && all[at + 1]?.kind === "thing") ||
        /^(?:the|a|our|my|this|that|next|big)$/.test(all[at - 1]?.text ?? "");
      all[at] = { ...tag, kind: isNamed ? "small" : "unknown", senses: new Set() };
    }
}

const weekday = /^(?:on )?(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?s?$/i;

const slot = /^(?:hold|slot|series|window|booking|reservation|thing)$/;

/** "my thursday build slot" comes again, and "staging off all day friday" stays off. */
function ofSeries({ all, become }: Joining): void {
  for (const [at, tag] of all.entries()) {
    const [before, after] = [all[at - 1]?.words[0]?.value ?? "", all[at + 1]];
    const isOwn = /^(?:my|our|weekly)$|['’]s$/i.test(before);
    const isTimed = all.some((each) => each !== tag && each.kind === "time" && /\d/.test(each.text));
    const isSlot = after?.kind === "thing" && slot.test(all[at + 2]?.text ?? "");
    if (tag.kind === "time" && weekday.test(tag.text) && isOwn && isTimed && isSlot)
      all[at] = { ...tag, kind: "sense", text: "", senses: new Set(["series"]) };
    else if (tag.kind === "time" && weekday.test(tag.text) && isOwn && isTimed && after?.kind === "thing")
      all[at] = { ...tag, text: `every ${tag.text.replace(/^on /i, "")}`, senses: new Set(["series", "times"]) };
    const isTurned = all.slice(0, at).some(({ senses }) => senses.has("go") || senses.has("stop"));
    const isOff = tag.kind === "thing" && !isTurned && after?.text === "off" && all[at + 2]?.kind === "time";
    if (isOff && !/\d/.test(all[at + 2]?.text ?? "")) become("keepOff", at + 1);
  }
}

/** "I'll tell you" warns nobody. */
function toldByOneself({ all, places }: Joining): void {
  for (const at of places("warn")) {
    const [tag, before] = [all[at], all[at - 1]];
    const isOwn =
      before?.kind === "self" && /^(?:i|we)(?:'ll|'d|'m)?$/i.test(before.words[0]?.value.replace("’", "'") ?? "");
    if (tag && (isOwn || /^(?:you|u)$/i.test(all[at + 1]?.words[0]?.value.replace(/[.,!?]+$/, "") ?? "")))
      all[at] = { ...tag, kind: "small", senses: new Set() };
  }
}

/** "and build too" */
function alsoNamed({ all, become }: Joining): void {
  const at = all.findIndex(({ text }) => text === "too" || text === "also");
  const named = all.filter(({ kind }) => kind !== "small" && kind !== "time");
  if (
    at !== -1 &&
    named.length > 0 &&
    named.every(
      ({ kind, senses }) => kind === "thing" || senses.has("keepUp") || senses.has("need") || senses.has("keep"),
    )
  )
    become("also", at);
}

/** "should last until eight", "no need to start build". */
function asVerb({ all, become }: Joining): void {
  for (const [at, tag] of all.entries()) {
    if (/^lasts?$/.test(tag.text) && /^(?:until|till?|to|for)\b/.test(all[at + 1]?.text ?? ""))
      all[at] = { ...tag, kind: "small", text: "", senses: new Set() };
    const isOfNames = all.some(({ kind }) => kind === "thing" || kind === "action");
    if (tag.text === "no need" && isOfNames) become("release", at);
  }
}

/** "turn off", "let it go". */
function withParticles({ all, has, within, become, places }: Joining): void {
  const lets = all.findIndex(
    ({ text }, at) => text === "let" && within(at, "go") !== -1 && within(at, "up", "run") === -1,
  );
  if (lets !== -1 && within(lets, "off", "stop") === -1) become("release", lets, within(lets, "go"));
  // "let qa go off", "let staging stop as usual"
  const let_ = all.findIndex(({ text }) => text === "let");
  const ends = let_ === -1 ? -1 : within(let_, "off", "stop", "turnOff");
  const isThings = all.slice(let_ + 1, ends).some(({ kind }) => kind === "thing" || kind === "pronoun");
  if (
    ends !== -1 &&
    isThings &&
    !all.slice(0, let_).some(({ text }) => negation.test(text)) &&
    within(let_, "keep") === -1
  )
    become("release", let_, ...places("go").filter((at) => at > let_ && at < ends), ends);
  // "kill i-0b2" stops it, "kill the hold on i-0b2" does not.
  for (const [at, tag] of all.entries()) {
    const named = all.slice(at + 1).find(({ kind }) => kind !== "small");
    if (
      /^(?:kill|axe)$/.test(tag.text) &&
      named?.kind === "thing" &&
      within(at, "keep", "warn", "mute", "extend") === -1
    )
      become("stop", at);
  }
  // "lock dave out", "let frank back in"
  for (const [at, { text }] of all.entries()) {
    const last = all.findIndex((tag, index) => index > at && index <= at + 4 && /^(?:out|in|back)$/.test(tag.text));
    if (
      last === -1 ||
      !all
        .slice(at + 1, last)
        .some(({ kind, senses }) => kind === "person" || kind === "pronoun" || senses.has("account"))
    )
      continue;
    if (/^(?:lock|shut|kick|throw|boot)$/.test(text) && all[last]?.text === "out") become("disable", at, last);
    else if (text === "let" && all[last]?.text !== "out" && places("phone", "mfa").length === 0)
      become("enable", at, last);
    else if (/^(?:take|put)$/.test(text) && all[last]?.text === "back") become("undo", at, last);
  }
  // "take the request about erin back"
  const takes = all.findIndex(({ text }) => /^(?:take|took|taking)$/.test(text));
  const back = takes === -1 ? -1 : all.findIndex(({ text }, at) => at > takes && text === "back");
  if (back !== -1 && places("request").some((at) => at > takes && at < back)) become("withdraw", takes, back);
  for (const at of all.keys()) {
    const found = particleOf(all, at);
    if (found) become(found.sense, at, found.place);
  }
  // "turn off", "goes down", "power up", "get rid of".
  for (const [at, tag] of all.entries()) {
    if (!tag.senses.has("go") || (tag.text === "going" && all[at + 1]?.text === "to")) continue;
    const particle = within(at, "off", "up");
    if (particle !== -1) become(has(particle, "off") ? "turnOff" : "turnOn", at, particle);
  }
}

/** "don't stop", "can't log in". */
function withNegations({ all, has, within, become, places }: Joining): void {
  for (const [at, { text }] of all.entries()) {
    if (!negation.test(text)) continue;
    const [login, need, stop, start] = [
      within(at, "login"),
      within(at, "need", "anymore"),
      within(at, "stop", "off", "turnOff", "end"),
      within(at, "start", "turnOn", "up"),
    ];
    if (isStoppedLater(all)) continue;
    const kept = within(at, "keep");
    const phone = within(at, "phone", "mfa");
    if (all[at + 1]?.text === "longer" && (text === "no" || all[at + 2])) become("anymore", at, at + 1);
    else if (within(at, "warn") !== -1) become("mute", at, within(at, "warn"));
    else if (within(at, "mute") !== -1) continue;
    else if (kept !== -1 || within(at, "extend") === at + 1) become("dontKeep", at);
    else if (places("keep").some((place) => place < at)) continue;
    else if (login !== -1 && (text.startsWith("c") || text.startsWith("can"))) become("lockedOut", at, login);
    else if (phone !== -1 && text === "no") continue;
    else if (need !== -1 && start > need && has(start, "start", "turnOn")) become("keepOff", at, need, start);
    else if (need !== -1 && (stop === -1 || need < stop) && all[need + 1]?.text !== "to") become("release", at, need);
    else if (
      stop !== -1 &&
      phone === -1 &&
      ![all[stop - 1]?.text, all[at - 1]?.text].includes("from") &&
      !isLater(all, at, stop)
    )
      become("keepUp", at, ...places("stop", "off", "turnOff", "end"));
    else if (start !== -1 && has(start, "start", "turnOn")) become("keepOff", at, start);
  }
}

/** "the test on web is over", "I'm finished with my test run": what is over needs no other word. */
function isOver({ all, places }: Joining): void {
  const [done] = places("done");
  const is = all.findIndex(({ words }) => copula.test(words[0]?.value.toLowerCase() ?? ""));
  // Without a thing, the whole clause is said of another one.
  if (all.every(({ kind }) => kind !== "thing")) return;
  if (done === undefined || is === -1 || is > done || all.some(({ text }) => negation.test(text))) return;
  for (const [at, tag] of all.entries()) {
    const isOf = tag.kind === "unknown" || ((tag.senses.has("run") || tag.senses.has("up")) && at !== done);
    if (isOf && !/\d/.test(tag.text)) all[at] = { ...tag, kind: "small", senses: new Set() };
  }
}

const copula = /^(?:is|are|was|were|got|am|has|have|i'm|im|we're|were|it's|its|i've|ive|we've|everything's)$/;

/** What is skipped, begins or is prevented. */
function runsAndStarts(clause: Joining): void {
  const { all, within, become, places } = clause;
  // "qa can go down tonight"
  const may = all.findIndex(({ text }) => /^(?:can|may|could)$/.test(text));
  const goes = may === -1 ? -1 : within(may, "stop", "turnOff");
  const isOwn = all.slice(0, Math.max(may, 0)).some(({ kind }) => kind === "thing");
  if (isOwn && goes !== -1 && places("keep", "warn", "mute", "extend").length === 0) become("release", goes);
  const isPerson = all.some(({ kind }) => kind === "person");
  const out = isPerson ? -1 : all.findIndex(({ text, senses }) => text === "out" && senses.size === 0);
  if (out > 0 && places("keep").length > 0) become("skip", ...places("keep").slice(0, 1), out);
  const none = all.findIndex(
    ({ text }, at) =>
      text === "no" && /^(?:thing|action)$/.test(all.slice(at + 1).find(({ kind }) => kind !== "small")?.kind ?? ""),
  );
  if (none !== -1 && places("need", "extend", "keepUp", "release").length === 0) become("skip", none);
  // "starting tomorrow"
  for (const at of places("start"))
    if (/ing$/.test(all[at]?.text ?? "") && (all[at + 1]?.kind === "time" || all[at + 1]?.text === "now"))
      become("fromNow", at);
  // "the reports backup must not run"
  const ofAction = all.findIndex(({ kind }) => kind === "action");
  const negated = all.findIndex(({ text }) => negation.test(text));
  if (ofAction !== -1 && negated !== -1 && places("skip").length === 0)
    become("skip", negated, ...places("run", "offboard", "up", "need"));
  endOfWarning(clause);
  for (const at of places("prevent")) {
    if (all[at]?.text.startsWith("skip")) continue;
    const stop = within(at, "stop", "turnOff", "off");
    if (stop !== -1) become("keepUp", at, stop);
    else if (within(at, "start", "turnOn") !== -1) become("keepOff", at, within(at, "start", "turnOn"));
  }
}

/** "stop warning me", "kill the staging alert", "no alerts any more", but not "a warning before the stop". */
function endOfWarning({ all, has, become, places }: Joining): void {
  const [warned] = places("warn");
  if (warned === undefined || places("mute").length > 0) return;
  const at = all.findIndex(({ kind }) => kind !== "small" && kind !== "self" && kind !== "pronoun");
  const isEnd =
    /^[a-z]+$/.test(all[at]?.text ?? "") && has(at, "stop", "end", "prevent", "undo", "turnOff") && at < warned;
  if (isEnd && all.slice(at, warned).every(({ text }) => text !== "before")) become("mute", at, warned);
  else if (places("anymore", "release", "dontKeep").length > 0)
    become("mute", ...places("anymore", "release", "dontKeep"), warned);
}

/** "keep … up", "need … no more". */
function keptOrNot({ all, has, become, places }: Joining): void {
  // "stop staging an hour later than usual"
  if (isStoppedLater(all) && places("start", "keepUp").length === 0 && !all.some(({ text }) => negation.test(text)))
    become("keepUp", ...places("stop", "turnOff", "off"));
  if (places("keepUp").length > 0) notBefore(all);
  if (places("keepUp", "keepOff", "release", "dontKeep").length > 0) return;
  const isMachines =
    all.every(({ kind }) => !/^(?:person|project|credential|address)$/.test(kind)) && places("email").length === 0;
  const isAsked = places("when", "why", "who", "what", "howLong").length > 0;
  // "exclusions in dev" asks for nothing to be kept.
  const kept = places("keep").filter((at) => !has(at, "offboard") && !listed.test(all[at]?.text ?? ""));
  const [need, up, off] = [places("need"), places("up"), places("off", "stop", "turnOff")];
  const exempt = places("exempt");
  if (exempt.length > 0 && off.length > 0 && places("start").length === 0) become("keepUp", ...exempt, ...off);
  else if (exempt.length > 0 && places("start").length > 0 && off.length === 0)
    become("keepOff", ...exempt, ...places("start"));
  if (places("keepUp", "keepOff").length > 0) return;
  const keeps = [...kept, ...need];
  if (keeps.length === 0) return;
  if (places("anymore").length > 0) become("release", ...keeps, ...places("anymore"));
  else if (up.length > 0 && off.length === 0) become("keepUp", ...kept, ...up, ...need);
  else if (kept.length > 0 && places("off").length > 0 && up.length === 0) become("keepOff", ...kept, ...off);
  else if (
    need.length > 0 &&
    off.length === 0 &&
    !isAsked &&
    isMachines &&
    places("mfa", "account", "reset", "login").length === 0
  )
    become("keepUp", ...need);
  else if (kept.length > 0 && off.length === 0 && places("alone").length === 0 && !isAsked) become("keepUp", ...kept);
}

const listed = /^(?:exclusions|exceptions|holds|reservations|bookings)$/;

const isStoppedLater = (all: readonly Tag[]): boolean =>
  all.some(({ senses, text }) => senses.has("ofRun") && /\blater\b/i.test(text));

/** "not only", "not before two": what is negated stands between. */
const isLater = (all: readonly Tag[], from: number, to: number): boolean =>
  all.slice(from + 1, to).some(({ text }) => /^(?:only|just|sure|know|why|if|whether)$/.test(text));

/** "must not stop before ten" lasts until then. */
function notBefore(all: Tag[]): void {
  for (const [at, { text }] of all.entries()) {
    const [before, time] = [all[at], all[at + 1]];
    if (text !== "before" || before === undefined || time?.kind !== "time") continue;
    all[at] = { ...before, kind: "small", text: "", senses: new Set() };
    all[at + 1] = { ...time, text: `until ${time.text.replace(/^(?:at|around) /i, "")}` };
  }
}
