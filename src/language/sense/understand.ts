import { tokenize, type Word } from "../tokenize.ts";
import { cannotKnow, questionsIn, withoutDisclaimers, withoutExcepted } from "./asked.ts";
import { whyCannot } from "./asks-for.ts";
import { decisive, isLimit, nowadays, turning } from "./beside.ts";
import { type Fit, fits, typedOf, weightOf } from "./choose.ts";
import { acting, isOrdering, isStatement } from "./clause-kind.ts";
import { clausesOf } from "./clauses.ts";
import { composed } from "./compose.ts";
import { selfCorrected } from "./corrections.ts";
import { answerToCourtesy, withoutCourtesy } from "./courtesy.ts";
import { quoted } from "./frame.ts";
import { negation } from "./joining.ts";
import type { Sense } from "./lexicon.ts";
import { type Mood, moodOf } from "./mood.ts";
import { contradicts, isHalted, isKept, isSwapped, isYesAndNo } from "./objections.ts";
import { orderWithin } from "./orders-within.ts";
import { writtenOut } from "./shorthand.ts";
import { content, has, type Known, type Tag, tagged } from "./tag.ts";

/** What a line comes to. */
export type Understood =
  /** It is this line of the grammar. `note`: what must be said beside the answer. */
  | { readonly kind: "line"; readonly line: string; readonly note?: string | undefined; readonly meant?: string }
  /** Nothing is done. `offers`: lines of the grammar that may be meant, or lead on. */
  | {
      readonly kind: "offers";
      readonly problem: string;
      readonly offers: readonly string[];
      /** What it is about, for those who may not do it in any case. */
      readonly meant?: string;
      /** They only lead on: none changes anything at once. */
      readonly isLead?: true;
      /** Its form is offered too, with what was understood. */
      readonly hasForm?: true;
      readonly isCourtesy?: true;
    };

const longest = 80;
const nothing = "Nothing was changed.";
const unclear = `I didn't understand what to do. ${nothing}`;
/** Days and weeks are asked about for the limit. */
const mayI =
  /(?:^|[,.:!] )(?:please )?(?:(?:how )?(?:can|could|may) (?:i|we)|how do (?:i|we)|how to)\b(?!.*(?:\d|an?|two|three|four|ten) (?:days?|we+ks?|wks?)\b)/;

/** Understands a line by what is known in it and the senses of its words; undefined where nothing is known. */
export function understand(line: string, known: Known): Understood | undefined {
  const tokens = tokenize(withoutCourtesy(line));
  if (tokens.kind === "unclosed" || tokens.words.length === 0 || tokens.words.length > longest) return undefined;
  const words = selfCorrected(tokens.words, known.names);
  const tags = composed(tagged(words, known), known.card);
  const raw = rawOf(words, known);
  const { change, within, several } = ordersIn(tags, known);
  const isOnCard = change?.frame.on !== undefined;
  const thanked = isOnCard || (known.card === "request" && change) ? undefined : answerToCourtesy(clausesIn(tags), raw);
  if (thanked !== undefined) return { kind: "offers", problem: thanked, offers: [], isCourtesy: true };
  const asking = askingOf(tags).filter(
    (clause) => !within || isOnlyTold(within, tags) || !clause.every((tag) => within.story.includes(tag)),
  );
  const mood = moodOf({
    ...{ tags, asking, raw },
    // A reason for which even a condition is taken says nothing about the doubts in it.
    story: change && !change.frame.isShown && (within || change.frame.reasons !== "any") ? change.story : [],
    isWhole: change !== undefined && change.left.length < 2,
    isWithdrawn: known.card === "request" && change?.frame.must[0]?.includes("withdraw") === true,
  });
  const topic = topicOf(tags, known);
  const isExplained = change?.left.length === 0;
  const isWhole = mood === "order" && isExplained;
  const isSure = isWhole && (isOnCard || (change.explained > 2 && !isOnlyTold(change, tags)));
  const isSeveral = several.length > 1 && !raw.includes("?");
  if (
    mood === "order" &&
    !isSeveral &&
    (contradicts(asking, change, known) || isYesAndNo(change) || isSwapped(tags) || isKept(change, raw))
  )
    return told(`${notAsked.contrary} ${nothing}`, topic);
  const cannot = isSure && isOnCard ? undefined : whyNot(asking, mood, isSure ? change : undefined);
  if (cannot !== undefined) {
    const things = tags.flatMap(({ kind, text: each }) => (kind === "thing" ? [each] : []));
    const meant = cannot.near && text(`${cannot.near} ${things.join(" ")}`);
    return told(`${cannot.says} ${nothing}`, topic, undefined, meant);
  }
  const said = withoutExcepted(withoutDisclaimers(clausesIn(tags)));
  const each =
    mood === "question" ? questionsIn(said, raw).flatMap((one) => fits(one, "question", known)[0] ?? []) : [];
  const [question] = each.length > 0 || isWhole ? each : fits(said, "question", known);
  const missing = cannotKnow(line.toLowerCase());
  // "can I have staging until ten tomorrow?" asks for it, or whether it is allowed.
  if (mood === "question" && mayI.test(raw) && isExplained && change.slots.thing !== "" && change.slots.time !== "")
    return { kind: "offers", problem: understood, offers: [lineOf(change)], meant: lineOf(change) };
  if (mood === "question" && each.length > 1) return asked(each, missing, tags);
  if (mood === "question" && !question && isExplained && change.frame.isShown) return asked([change]);
  if (mood === "question") return question ? asked([question], missing, tags) : answered(topic, missing);
  if (mood === "toOther") return told(`${notAsked[mood]} ${nothing}`, known.card && "status");
  if (mood === "told" && isExplained && change.frame.isShown) return asked([change]);
  if (mood !== "order")
    return told(`${notAsked[mood]} ${nothing}`, topic, mood === "open" || mood === "hearsay" ? change : undefined);
  if (approves(change, known) && isHalted(tags, known.cardPerson))
    return told(`${notAsked.open} ${nothing}`, undefined, change);
  if (isSeveral) return eachByItself(several);
  if (question && isShown(asking) && !isWhole) return asked([question], missing);
  const refused = isWhole ? (change.frame.refuses?.(change.slots) ?? whyPast(change.slots.time)) : undefined;
  if (refused !== undefined) return refusedWith(refused, change, topic);
  const isNoun =
    is(tags, "record", "decision", "owned", "eta") || (!change && is(tags, "allowed", "budget", "timetable"));
  const isBetter = question && question.frame.must.length > 0 && (!change || weightOf(question) < weightOf(change));
  if (isNoun && isBetter && !isWhole) return asked([question], missing);
  return change ? ordered(change, tags) : unmet(tags, asking, question, topic);
}

/** "yesterday 20-22" is none of today. */
const whyPast = (time: string): string | undefined =>
  /\byesterday\b|\blast (?:night|\w+day)\b/i.test(time) && /\d ?(?:am|pm|h)? ?(?:-|–|to|till?|until) ?\d/i.test(time)
    ? `“${time}” is past. Which time do you mean?`
    : undefined;

/** What can be done in another way only is offered so. */
function refusedWith(problem: string, change: Fit | undefined, topic: string | undefined): Understood {
  const isOtherwise =
    change?.frame.must[0]?.includes("warn") || (change?.frame.isConfirmed && change.slots.person.includes(" and "));
  if (change && isOtherwise) return { kind: "offers", problem: `${problem} ${nothing}`, offers: eachOf(change) };
  return told(`${problem} ${nothing}`, topic);
}

/** What leads on, or answers, where no change was understood. */
function unmet(
  tags: readonly Tag[],
  asking: readonly (readonly Tag[])[],
  question: Fit | undefined,
  topic: string | undefined,
): Understood | undefined {
  const led = leadOn(tags);
  // What somebody says of a request is answered with the request.
  if (topic === "status" && !led) return told(unclear, topic);
  const which = topic === undefined && !led && unnamed.find((senses) => is(tags, senses[0]) && is(tags, ...senses[1]));
  if (which) return told(`Which ${which[0]} do you mean? ${nothing} Name it.`, undefined, undefined, which[2]);
  if (led || tags.some(({ kind }) => kind === "unknown" || kind === "address")) return led;
  if (topic === undefined && is(tags, "disable", "enable", "offboard", "unlock", "detach"))
    return told(`Whose account do you mean? ${nothing} Name it.`, undefined);
  // "keep everything up" names nothing.
  const isKept = (clause: readonly Tag[]) =>
    clause.some(({ text: each }) =>
      /^(?:kept|held|left|(?:exclusion|exception|booking|reservation)s?|holds)$|..ed$/.test(each),
    );
  const isOrder = asking.some((clause) => isOrdering(clause, ["keepUp", "keepOff"]) && !isKept(clause));
  if (!isOrder) return question && topic === undefined ? asked([question]) : answered(topic);
  const times = tags.flatMap(({ kind, text: each }) => (kind === "time" ? [each] : []));
  const meant = `exclude ${times.join(" ")}`.trim();
  return { kind: "offers", problem: `What do you want to keep? ${nothing} Name it.`, offers: [], meant, hasForm: true };
}

/** What is changed of a thing that is not named, or not known to who asks, and its command. */
const unnamed: readonly (readonly [Sense, readonly Sense[], string])[] = [
  ["credential", ["end", "rename", "move"], "credential edit"],
  ["project", ["rename"], "project rename"],
  ["selector", ["rename", "move", "end", "detach"], "selector edit"],
];

/** As typed, in lower case, with what is typed in short written out. */
const rawOf = (words: readonly Word[], { names }: Known): string =>
  writtenOut(words, names)
    .map(({ value }) => value)
    .join(" ")
    .toLowerCase()
    .replaceAll("’", "'");

/** The change that all clauses ask for, or else some of them, or each of several clauses. */
function ordersIn(tags: readonly Tag[], known: Known) {
  const [whole] = isMixed(tags) ? [] : fits(tags, "change", known);
  const isDone = whole?.left.length === 0;
  const { order, near, several = [] } = isDone && !isOfSeveral(tags) ? {} : orderWithin(tags, known);
  const within = isDone ? undefined : order;
  const isApart = !isDone || several.every(({ slots }) => slots.time !== "");
  const change = within ?? (near && isNearer(near, whole) ? near : whole);
  return { change, within, several: isApart ? several : [] };
}

/** Whether several clauses have their own machines and their own time: "staging till 21, build till 22". */
const isOfSeveral = (tags: readonly Tag[]): boolean =>
  clausesIn(tags).filter(
    (clause) => clause.some(({ kind }) => kind === "thing") && clause.some(({ kind }) => kind === "time"),
  ).length > 1;

/** "end qa and keep staging up till 10": one order of all would turn round what is asked of some. */
function isMixed(tags: readonly Tag[]): boolean {
  const of = (senses: readonly Sense[]) =>
    clausesIn(tags).filter((clause) => clause.some(({ kind }) => kind === "thing") && isOrdering(clause, senses));
  const [kept, ended] = [of(["keepUp", "extend"]), of(["end", "release", "skip", "keepOff"])];
  return kept.some((one) => ended.some((other) => one !== other));
}

/** Whether the order of some clauses is likelier than that of all. */
const isNearer = (near: Fit, whole: Fit | undefined): boolean =>
  whole === undefined || !isOffered(whole) || (isOffered(near) && near.left.length <= whole.left.length);

const clausesIn = (tags: readonly Tag[]): readonly (readonly Tag[])[] => clausesOf(tags).map((clause) => clause.tags);

const apart = "Those are several changes. Each is done by itself.";
/** Those that open a form can't be done with others. */
const eachByItself = (several: readonly Fit[]): Understood =>
  several.some(({ frame }) => frame.isConfirmed)
    ? { kind: "offers", problem: `${apart} ${nothing}`, offers: several.map(lineOf) }
    : { kind: "line", line: several.map(lineOf).join("; ") };

const understood = `This is what I understood. ${nothing}`;

/** A change is done when each word is explained. Else it is offered whole, or not at all. */
function ordered(change: Fit, tags: readonly Tag[]): Understood {
  const line = lineOf(change);
  const { left, slots, story, why, isExplicit, frame, isNear } = change;
  if (left.length === 0) {
    const isAccount = slots.person !== "" && !frame.on && !frame.isShown;
    const isGuessed =
      isAccount && tags.some(({ isCorrected, senses, kind }) => isCorrected && (senses.size > 0 || kind === "person"));
    // A story may be part of a new name.
    const isAside =
      ((isAccount && !isSeenInForm(change, tags)) || (slots.name !== "" && slots.thing === "")) &&
      !isExplicit &&
      (story.some((tag) => !why.has(tag)) ||
        tags
          .filter(({ kind }) => kind !== "ticket")
          .slice(-1)
          .some((tag) => story.includes(tag)));
    if (isAccount && !areTogether(tags.filter((tag) => !story.includes(tag))))
      return { kind: "offers", problem: `${notAsked.open} ${nothing}`, offers: [] };
    if (isGuessed || isAside || (frame.isGuess && !isAllOf(tags, "okay"))) {
      return { kind: "offers", problem: understood, offers: isAccount ? eachOf(change) : [line], meant: line };
    }
    return { kind: "line", line };
  }
  const problem = `I didn't understand “${typedOf(left)}”. ${nothing}`;
  if (frame.isShown && left.every(isIdleWord)) return asked([change]);
  if (!isOffered(change)) {
    const lead = { kind: "offers", problem, meant: line, isLead: true } as const;
    // What is not done as said is seen whole in its form, if nothing that was left could turn it round.
    const isClear = slots.thing !== "" && !left.some((tag) => isTurning(tag) || (slots.time === "" && isLimit(tag)));
    const hasForm = isClear || (isNear && slots.time !== "");
    if (!hasForm) return { ...lead, offers: leadsOn(tags) };
    return { ...lead, offers: leadsOn(tags).filter((each) => !each.startsWith("exclude ")), hasForm };
  }
  // "… friday 19-22 flaky tests hunting": what stands behind all else may be the reason.
  const isBehind = tags.filter(content).slice(-left.length)[0] === left[0] && tags.at(-1)?.text !== "time";
  if (!isBehind || story.length > 0 || frame.hasNoReason)
    return { kind: "offers", problem, offers: [line], meant: line, hasForm: true };
  const guess = `I read “${typedOf(left)}” as the reason. ${nothing}`;
  return { kind: "offers", problem: guess, offers: [lineOf({ ...change, story: left })], meant: line, hasForm: true };
}

/** Whether what is asked of an account stands only in what somebody tells: "erin says she is locked out". */
const isOnlyTold = ({ frame, slots }: Fit, tags: readonly Tag[]): boolean =>
  slots.person !== "" &&
  clausesIn(tags).every(
    (clause) => isStatement(clause) || !clause.some((tag) => frame.must.some((senses) => has(tag, ...senses))),
  );

/** Its form shows what was told beside it, as whole sentences. */
const isSeenInForm = (change: Fit, tags: readonly Tag[]): boolean =>
  change.frame.isConfirmed === true &&
  !isOnlyTold(change, tags) &&
  clausesIn(tags).every(
    (clause) => isStatement(clause) || clause.every((tag) => !change.story.includes(tag) || change.why.has(tag)),
  );

/** For each of several people. */
const eachOf = (change: Fit): readonly string[] =>
  change.slots.person.split(" and ").map((person) => lineOf({ ...change, slots: { ...change.slots, person } }));

/** What would be the opposite of what its form shows, or more than that. */
const isTurning = (tag: Tag): boolean =>
  /^(?:thing|action|project)$/.test(tag.kind) ||
  turning.test(tag.text) ||
  negation.test(tag.text) ||
  compared.test(tag.text) ||
  has(tag, ...contrary);
const contrary: readonly Sense[] = [
  ...decisive,
  ...(["end", "shorten", "extend", "cancel", "done", "warn", "stop", "off", "turnOff", "start", "move"] as const),
  ...(["anymore", "series", "what", "why", "who", "when"] as const),
];

/** Whether a line says this and nothing else. */
const isAllOf = (tags: readonly Tag[], sense: Sense): boolean => tags.every((tag) => !content(tag) || has(tag, sense));

/** "alice and bob", but not "bob, please disable dave": there, nobody knows whose account is meant. */
function areTogether(tags: readonly Tag[]): boolean {
  const places = tags.flatMap(({ kind }, at) => (kind === "person" ? [at] : []));
  const between = tags.slice(places[0] ?? 0, (places.at(-1) ?? 0) + 1);
  const isSame = new Set(places.map((at) => tags[at]?.text)).size < 2;
  return isSame || between.every((tag) => tag.kind === "person" || /^(?:and|&|\+|plus|also|the|both)$/.test(tag.text));
}

const text = (line: string): string => line.replace(/\s+/g, " ").trim();

/** `missing`: what nobody knows here. */
const answered = (line: string | undefined, missing?: string): Understood | undefined =>
  line === undefined ? undefined : { kind: "line", line: text(line), note: missing };

const askedLine = ({ frame, slots }: Fit): string => text(frame.say(slots));

/** One question, or several of one line. */
const asked = (each: readonly Fit[], missing?: string, tags: readonly Tag[] = []): Understood => {
  const line = [...new Set(each.map(askedLine))].join("; ");
  // A time that its command can't take is not answered.
  const isTimeless = ({ slots }: Fit) =>
    slots.time !== "" && /^(?:next|history|running|exclusions)\b/.test(line) && !/\d|day|night|morning|week/.test(line);
  const isLost = ({ kind, text: time }: Tag) =>
    kind === "time" && !nowadays.test(time) && !each.some(({ slots }) => slots.time.includes(time));
  const isInPart = each.some((fit) => fit.left.length > 0 || isTimeless(fit)) || tags.some(isLost);
  const reading = isInPart ? `I read that as “${line}”.` : "";
  return { kind: "line", line, note: [missing, reading].filter(Boolean).join(" ") || undefined };
};

const is = (tags: readonly Tag[], ...senses: readonly Sense[]): boolean => tags.some((tag) => has(tag, ...senses));

/** Says why nothing is done, and what is so. */
function told(note: string, topic: string | undefined, change?: Fit, meant?: string): Understood {
  if (topic !== undefined) return { kind: "line", line: text(topic), note, ...(meant ? { meant } : {}) };
  return { kind: "offers", problem: note, offers: change ? [lineOf(change)] : [], ...(meant ? { meant } : {}) };
}

function lineOf({ frame, slots, story }: Fit): string {
  const line = text(frame.say(slots));
  const reason = frame.hasNoReason ? "" : typedOf(story);
  return reason === ""
    ? line
    : line
        .split("; ")
        .map((each) => `${each} because ${reason}`)
        .join("; ");
}

const limiting =
  /^(?:if|unless|only|except|excluding|like|minus|one|time|friends?|or|maybe|perhaps|probably|sure|but|first|second|third|last|others?|rest|remaining|both|half|not|no|instead|until|till|before|after|nights?|days?|weeks?|months?|hours?|minutes?|mornings?|evenings?|noon|midnight|weekends?|today|tomorrow|copy|start|end)$/;
/** "staging for qa", "less than 2 hours" */
const compared = /^(?:for|(?:no longer |not longer )?than)$/;
/** "thu 19-22 and then sunday 8am to 8pm": one button would be for the first alone. */
const span = String.raw`\d ?(?:am|pm|h)? ?(?:-|–|to|till|until) ?\d`;
const severalTimes = new RegExp(`${span}.* (?:and|then|plus) .*${span}`, "i");

/** It means nothing, and so can't turn round anything. */
const isIdleWord = ({ kind, text: said }: Tag): boolean =>
  (kind === "sense" && nouns.test(said)) ||
  (kind === "unknown" && !limiting.test(said) && !compared.test(said) && (!/\d/.test(said) || said.startsWith("<#")));
const nouns = /^(?:patch|patching|upgrade|rollout|deployment|disk|size|restore|recovery|work|machines?)$/;

/** Whether what is offered leaves only words that mean nothing: a word with a sense could turn its meaning round. */
const isOffered = ({ left, slots, frame }: Fit): boolean =>
  !severalTimes.test(slots.time) &&
  left.every(isIdleWord) &&
  (frame.on !== undefined || [slots.thing, slots.person, slots.action, slots.project, slots.credential].some(Boolean));

/** For a line that names something, and not what to do with it. */
function leadOn(tags: readonly Tag[]): Understood | undefined {
  const offers = leadsOn(tags);
  return offers.length > 0 ? { kind: "offers", problem: unclear, offers, isLead: true } : undefined;
}

/** What can be done with what was recognized. */
function leadsOn(tags: readonly Tag[]): readonly string[] {
  const of = (kind: Tag["kind"]) => tags.find((tag) => tag.kind === kind)?.text;
  const [thing, person, action] = [of("thing"), of("person"), of("action")];
  if (person !== undefined && thing === undefined) return fitting(tags).map((verb) => `${verb} ${person}`);
  if (thing !== undefined) return [`status ${thing}`, `exclude ${thing}`, `next ${thing}`];
  return action === undefined ? [] : [`next ${action}`, `status ${quoted(action)}`];
}

/** What fits the account of somebody who left or is back, or whose address it is about; else any of it. */
function fitting(tags: readonly Tag[]): readonly string[] {
  const said = typedOf(tags).toLowerCase().replaceAll("’", "'");
  const isOpen = /n't\b|\b(?:not|never|will|soon)\b/.test(said);
  if (!isOpen && (is(tags, "offboard") || leaves.test(said))) return ["offboard", "disable", "user"];
  if (!isOpen && is(tags, "email")) return ["change email", "user"];
  return !isOpen && returns.test(said) ? ["enable", "user"] : ["user", "unlock", "enable", "disable"];
}
const leaves = /\b(?:left|gone)(?: (?:already|today|yesterday|last \w+|on \w+day))*$|\blast day (?:is|was)\b/;
const returns =
  /\b(?:(?:is|are|has|came|comes|come|got) back|returned|(?:here|works?) again)\b(?! (?:on|in|at|next|tomorrow)\b)/;

/** A question about what the line names. */
function topicOf(tags: readonly Tag[], { card }: Known): string | undefined {
  if (card === "request" || (card && tags.every(({ kind }) => kind !== "thing"))) return "status";
  const of = (kind: Tag["kind"]) => [...new Set(tags.flatMap((tag) => (tag.kind === kind ? [tag.text] : [])))];
  const [person] = of("person");
  if (of("thing").length > 0) return `status ${of("thing").join(" ")}`;
  if (person !== undefined) return `user ${person}`;
  const kinds = ["action", "project", "plan", "selector", "credential", "policy"] as const;
  const [other] = kinds.flatMap(of);
  return other === undefined ? undefined : `status ${quoted(other)}`;
}

const showing: readonly Sense[] = [
  "list",
  "what",
  "when",
  "why",
  "who",
  "howLong",
  "howMuch",
  "status",
  "next",
  "who_am_i",
];
/** Whether a clause begins with a word that asks to see something. */
const isShown = (clauses: readonly (readonly Tag[])[]): boolean =>
  clauses.some((clause) => is(clause.filter((tag) => content(tag) && tag.kind !== "self").slice(0, 2), ...showing));

/** "so please …", "so could you …" */
const isPlea = (clause: readonly Tag[]): boolean =>
  clause[0]?.text === "so" && /^(?:please|kindly|can|could|would|let)$/.test(clause[1]?.text ?? "");

/** The clauses that may ask for something: not those that begin as a reason. */
function askingOf(tags: readonly Tag[]): readonly (readonly Tag[])[] {
  const clauses = clausesOf(tags);
  // "…, so please keep it up"
  const isOrder = (each: readonly Tag[]) =>
    each[0]?.text === "so" && each[1]?.text !== "that" && isOrdering(each, acting) && !isStatement(each);
  const asking = clauses.filter(
    ({ reason, tags: each }) =>
      (!reason || isPlea(each) || isOrder(each)) && each.some((tag) => tag.kind !== "small" && tag.kind !== "unknown"),
  );
  return (asking.length > 0 ? asking : clauses).map((clause) => clause.tags);
}

/** What nobody can do here, if the line asks for it. What a change explains as its reason asks for nothing. */
function whyNot(asking: readonly (readonly Tag[])[], mood: Mood, change: Fit | undefined) {
  if (mood !== "order" && mood !== "question" && mood !== "open" && mood !== "negated") return undefined;
  // "roll it out, nobody is looking"
  if (mood === "negated") {
    const plain = asking.filter((clause) => !clause.some(({ text: each }) => negation.test(each)));
    return whyCannot(plain, "sure");
  }
  const isOrdered = (clause: readonly Tag[]) =>
    /^(?:and|then|also|plus|give|send|get)$/.test(clause[0]?.text ?? "") && !isStatement(clause);
  const clauses = asking.filter((clause) => isOrdered(clause) || !clause.every((tag) => change?.story.includes(tag)));
  return whyCannot(clauses, change !== undefined ? "sure" : mood);
}

const approves = (change: Fit | undefined, { card }: Known): change is Fit =>
  change !== undefined &&
  (change.frame.on ?? card) === "request" &&
  change.frame.must[0]?.some((sense) => sense === "approve" || sense === "okay") === true;

const notAsked: Readonly<Record<Exclude<Mood, "order" | "question">, string>> = {
  negated: "I read that as something not to do.",
  open: "I act only on what is certain.",
  hearsay: "I act only when somebody asks for it themselves.",
  takenBack: "I read that as taken back.",
  told: "I read that as news, not as a request.",
  toOther: "I read that as said to somebody else.",
  contrary: "That asks for two things that contradict each other. Which one do you mean?",
};
