import {
  acting,
  isAsking,
  isDoneBySomebody,
  isOrdering,
  isQuestion,
  isRequest,
  isStatement,
  isToShow,
  isVerb,
  isWish,
  opened,
} from "./clause-kind.ts";
import { clausesOf } from "./clauses.ts";
import { negation } from "./joining.ts";
import { has, lastWord, type Tag } from "./tag.ts";

/** How a line is meant. Only an order may change something. */
export type Mood =
  | "order"
  | "question"
  | "negated"
  | "open"
  | "hearsay"
  | "takenBack"
  | "told"
  | "toOther"
  | "contrary";

/** A line in its clauses. */
export interface Heard {
  readonly tags: readonly Tag[];
  /** The clauses that may ask for something. */
  readonly asking: readonly (readonly Tag[])[];
  /** What stands beside it as its reason. */
  readonly story: readonly Tag[];
  /** It may be read as a change that explains nearly each word. */
  readonly isWhole: boolean;
  /** In the thread of a request, "scrap that" takes back the request. */
  readonly isWithdrawn: boolean;
  /** As typed, in lower case. */
  readonly raw: string;
}

/** Makes all depend on something that is not known. */
const condition =
  /\b(?:what if|what would|would it|would that|suppose|supposing|assume|assuming|thinking (?:out )?(?:loud|aloud)|let'?s see|(?:could|might) be (?:nice|good|great|cool|useful)|sleep on (?:it|this|that)|i (?:guess|suppose)(?=[.!]*$)|(?:come|get) back to (?:you|u)|(?:tell|say|let) (?:you|u) (?:know )?(?:later|after|tomorrow|when|then|soon)|(?:ask|check with|talk to|speak (?:to|with)|consult) (?:my|our|the|her|his|their) [^,.;]{1,30} (?:first|before)|theoretically|hypothetically|in theory|if|unless|in case|depending|depends|provided|assuming|subject to|on condition|pending (?:the |her |his |their |an? )?(?:approval|review|ok|okay|confirmation|decision|sign-?off|go-ahead)|(?:as|so) long as (?!possible|you can|it takes|needed|necessary)|^were \w+|^were (?:the|my|our) |before i (?:say|decide|approve|ok|okay|agree|do|can)\b|in principle|whether|once (?:i|you|she|he|we|they)|as soon as (?!possible|you can|u can))\b/;
const doubt =
  /\b(?:not sure|unsure|maybe|perhaps|might|dunno|don'?t (?:yet )?know|do not know|(?:not|haven'?t|hasn't) (?:yet )?(?:been )?(?:decided|agreed|settled)|undecided|possibly|probably|thinking (?:about|of|whether|(?:out )?loud|aloud)|considering|let me think|let'?s see|we'll see|hm+|could be that|it could be|(?:it is|it's|its) (?:well |quite |also )?possible (?:that|i|we)|(?:is well|quite|very) possible that|(?:it )?(?:may|can|could) (?:well )?be that|or maybe|wonder(?:ing)?|someday|(?<!\b(?:by|for|of|only|than|just|within|after|in|about|another|each|every) )one day|at some point|hang fire|tbd|tbc|can'?t say yet|not yet)\b/;
const heard =
  /\b(?:heard|apparently|rumou?rs?|supposedly|allegedly|gossip|(?:someone|somebody|everyone|people|they|colleagues?|users?) (?:(?:in|from|at|of) .{1,25} )?(?:said|says|say|told|mentioned|wants?|thinks?|claims?)|(?:telling|saying|claiming|mentioning|suggesting|mentioned|claimed|suggested|believes?|wrote|writes)(?: me| us)? that|told (?:me|us|him|her|that)|was told|is it true|says? that (?!later|again|to|as|in|with)|said (?:that|he|she|it|we|they))\b/;
const rumour = /\b(?:heard|apparently|rumou?rs?|supposedly|allegedly|gossip|someone|somebody|people)\b/;
const takenBack =
  /\b(?:scratch that|scrap that|strike that|(?:no,? wait|wait,? no|(?<!\b(?:a|the|my|our|your|his|her|their|this|that|any|every|each) |'s )hold on(?=[,.!]|$)|actually,? no|actually don'?t|oh no,? (?:wait|leave|don'?t)|hm+,? no|no,? (?:better not|leave|keep it|let it|forget|don'?t|stay|not|scrap))|forget (?:it|that|about it|i said)|never ?mind|nvm|on second thoughts?|changed my mind|(?:better|rather) not|ignore (?:that|this|me|my last)|cancel that|as you were|(?:leave|keep) (?:it |that |this |all |everything )?as (?:it )?(?:is|was)|not needed after all|don'?t bother|kidding|just joking|jk)\b/;
/** "we had staging up until ten" */
const had =
  /^(?:\w+,? )?(?:i|we|they|she|he) had (?:the |our |my |both )?(?!to\b|better\b)[^,.?]* (?:yesterday|last \w+|ago)\b/;
/** "this is just for your information" */
const info = /\bfor (?:your|ur|everyone's|everybody's) (?:kind |own )?info(?:rmation)?\b/;
/** What somebody was or is going to do himself. */
const plan =
  /^(?:(?:i|we|he|she|they) )?(?:had (?:planned|intended|wanted|meant|hoped|thought)|(?:was|were|had been) (?:just |only |already )?(?:about|abt|going|gonna|planning|thinking|wondering|considering|supposed)|(?:'ll|will|shall|gonna|going to|(?:am|are) going to|plan to|intend to) (?:then |later |probably |just |do it )?(?:look|check|set|decide|think|see|ask|discuss|let you know|come back|get back|revert(?: back)?(?! (?:it|that|this|the|my|his|her))|handle|take care|do (?:it|that|this)|extend|prolong|keep|hold|release|end|cancel|approve|deny|disable|enable|remove|withdraw|shorten|move|skip|request|file|raise|finish it))\b/;
const noNeed =
  /\bno (?:need|reason|point|plans?|intention)(?: (?:for (?:me|us|you|anyone)|at all|now|yet))? (?:to|in|of) (?:extend|prolong|make|keep|keeping|hold|change|changing|do|doing|act|touch|lengthen|add|move|extending|making|shorten|end|worry|run|leave|approve|remove|disable|reset|unlock)/;
/** "nobody asked for it" */
const nobodys = /\b(?:nobody|no one|no-one) (?:said|asked|told)\b/;
const ceased = /\b(?:quit|cease) (?:extending|prolonging|skipping)\b/;
/** Nobody knows what is meant, whatever is said before. */
const unsure = /\b(?:i'?m|i am|we are|we're) (?:not (?:\w+ )?|un)sure(?: yet| either)?(?:[.!]+|$)/;
/** What was said before is no longer so, or never was asked for. */
const reversed =
  /\b(?:(?:don'?t|do not) do (?:it|that|this|anything)(?! any ?more| any longer| with)|not yet|decided against|decided not to|(?:told|tell) (?:her|him|them|you|\w+) no\b|turned (?:it|that|this|him|her) down|rejected (?:it|that|this)|(?:is|was|as|just|only) an? (?:example|idea|joke|suggestion|thought)|(?:was|is) the idea|(?:that|this) (?:is|was) what \w+ (?:wanted|wants|would like|suggested|said|asked)|that was \w+(?:'s)? (?:idea|suggestion|wish)|(?:says?|thinks?|wants?|wanted) (?:so|it|that),? i don'?t|looks like phishing|please leave it|so i won'?t|obviously not|not what i want|i mean (?:no|yes)|or no(?=,))\b|\bi (?:don'?t|do not)[.!]*$/;

/** Whether a line takes back, outside of quotes, what it says. */
export const isReversed = (line: string): boolean =>
  reversed.test(
    line
      .toLowerCase()
      .replaceAll("’", "'")
      .replaceAll(/"[^"]*"|“[^”]*”|--reason .*/g, ""),
  );

/** "thanks for keeping web up", "i hate that we keep web up". */
const feeling =
  /\b(?:(?:nobody|no one) (?:has |have )?(?:asked|requested)\b|(?:was|were|keeps) (?:telling|saying|mentioning|claiming|suggesting) (?:me |us )?that\b|(?:just|only|is) for (?:your|ur) (?:kind )?info(?:rmation)?\b|(?:thanks|thank you|thx|sorry|sry|congrats|congratulations|apologies) (?:for|on) (?:\w+ing\b|the\b(?! (?:trouble|noise|hassle|inconvenience|late|fuss|bother|confusion|mess)))|(?<!would (?:be )?(?:\w+ )?|'d |'d be (?:\w+ )?|will be (?:\w+ )?)(?:great|good|nice|glad|happy|sad|hate|love|like|pity|shame|lovely|cool|annoying) (?:that|how|when) |\bused to (?:keep|hold|have|extend) )/;
/** "the readme says: …", "example: …". */
const cited =
  /\b(?:says|said|say|wrote|writes|typed|types|asked|asks|quote|quoting|example|e\.g\.?|translate|explain|simulate|dry run) ?:(?=\s)/;
/** "let's say we …" */
const supposed =
  /^(?:(?:so|ok|okay|and|now|please),? )?(?:(?:let'?s|lets) (?:just )?(?:say|pretend|imagine|assume|suppose)|say)\b(?! (?:so|that|hi|hello|yes|no|ok|okay)\b)/;

/**
 * How the clauses are meant that ask for something. A condition or a doubt counts wherever it stands, but for the reason of an order;
 * a negation only in the clause that asks.
 */
export function moodOf({ tags, asking, story, isWhole, isWithdrawn, raw }: Heard): Mood {
  const is = (...senses: Parameters<typeof has>[1][]) => tags.some((tag) => has(tag, ...senses));
  const beside = new Set(story);
  const others = asking.filter((clause) => !clause.every((tag) => beside.has(tag)) && !isAside(clause));
  const own = others.length > 0 ? others : asking;
  if (isToOther(tags, isWhole)) return "toOther";
  if (reversed.test(raw) || (!isWithdrawn && isTakenBack(raw))) return "takenBack";
  const isTold =
    own.some((clause) => plan.test(writtenOut(clause)) || isDoneBySomebody(clause)) ||
    feeling.test(raw) ||
    info.test(raw) ||
    had.test(raw);
  if (!raw.includes("?") && isTold) return "told";
  const said = beside.size > 0 ? typed(tags.filter((tag) => !beside.has(tag))) : raw;
  if (isAsked(tags, asking, raw) || own.some(isToShow) || embedded.test(said)) return "question";
  const clauses = clausesOf(tags).map((clause) => clause.tags);
  if (clauses.some((clause, at) => isLater(clause, clauses.slice(0, at))) && !is("warn", "mute")) return "open";
  if (condition.test(withoutReason(tags, raw)) || doubt.test(said) || supposed.test(raw) || unsure.test(raw))
    return "open";
  const isImperative =
    own.some(
      (clause) =>
        clause[0]?.text !== "that" &&
        isVerb(
          clause,
          clause.findIndex(({ senses }) => senses.size > 0),
        ),
    ) && !/\b(?:said|says|told \w+)\s*[:,"“]/.test(raw);
  const heardIn = isImperative ? own.flat() : tags;
  const isHeard = heard.test(isImperative ? typed(heardIn) : raw) || isSaidBySomebody(heardIn);
  // Help desks say what a ticket asks for.
  const isTicket = tags.some(({ kind }) => kind === "ticket") && !/\b(?:said|thinks?|heard|told|claims?)\b/.test(raw);
  const isOfLost = is("unlock", "lockedOut", "mfa") && (isImperative || !rumour.test(raw));
  if (cited.test(raw) || (isHeard && !isOfLost && !isTicket)) return "hearsay";
  if (clauses.some(isForbidden) && !clauses.some((clause) => isOrdering(clause, acting) && !isStatement(clause)))
    return "negated";
  if (noNeed.test(said) || nobodys.test(raw) || ceased.test(said) || is("dontKeep")) return "negated";
  // "not on holidays", "not at noon", "not 22"
  const isNegated = own.some((clause) =>
    clause.some(({ text, senses }, at) => {
      const next = clause[at + 1];
      return negation.test(text) && senses.size === 0 && next?.kind !== "time" && !/^\d/.test(next?.text ?? "");
    }),
  );
  return isNegated && !is("keepUp", "keepOff", "release", "lockedOut", "anymore", "mute") ? "negated" : "order";
}

/** Whether a sentence asks: not one that ends as a wish: "web till eight, can you do that?" */
function isAsked(tags: readonly Tag[], asking: readonly (readonly Tag[])[], raw: string): boolean {
  const sentences: (readonly Tag[])[][] = [[]];
  for (const { tags: clause, isTelling } of clausesOf(tags)) {
    // "alice is away and has asked me"
    if (!isTelling || isStatement(clause) || /\?[)"']?$/.test(lastWord(clause.at(-1)))) sentences.at(-1)?.push(clause);
    if (/[.?!][)"']?$/.test(lastWord(clause.at(-1)))) sentences.push([]);
  }
  return sentences.some((clauses) => {
    const [last = []] = clauses.slice(-1);
    const end = lastWord(last.at(-1));
    const isAgreed = agreed.test(end) && !clauses.flat().some((tag) => has(tag, "approve"));
    const isMarked = /\?[)"']?$/.test(end) && !isAgreed && !(isWish(last) && !isAsking(last));
    const those = clauses.filter((clause, at) => asking.includes(clause) && !isLater(clause, clauses.slice(0, at)));
    return (
      !those.some(isRequest) &&
      those.some((clause) => (isMarked || !isAside(clause)) && isQuestion(clause, raw, isMarked))
    );
  });
}

/** "disable bob when he is done" */
const isLater = ([first, ...rest]: readonly Tag[], before: readonly (readonly Tag[])[]): boolean =>
  /^(?:when|once)$/.test(first?.text ?? "") && isStatement(rest) && before.some((clause) => isOrdering(clause, acting));

/** "don't disable bob", which no other word makes an order. */
const isForbidden = (clause: readonly Tag[]): boolean => {
  const [first, ...rest] = opened(clause);
  return first?.senses.size === 0 && negation.test(first.text) && isOrdering(rest, acting);
};

/** "poke me before it stops, ok?" */
const agreed = /^(?:ok|okay|please|pls|plz|thanks|thx|deal)\?+$/i;
/** "Can you tell me whether …", "I want to know if …". */
const embedded =
  /\b(?:tell me|know|check|see|find out|look|show me|ask|doubt|understand|wonder(?:ing)?)\b[^,;.?!]{0,30}\b(?:if|whether)\b|\b(?:wants?|like|needs?|wanted|love) (?:to )?(?:know|(?:understand|see|find out|learn) (?:why|when|who|how|what))\b/;

/** What stands before "because": the rest is a reason in any case. */
function withoutReason(tags: readonly Tag[], raw: string): string {
  const clauses = clausesOf(tags);
  const from = clauses.findIndex(({ reason }, index) => index > 0 && reason === "always");
  return from === -1 ? raw : typed(clauses.slice(0, from).flatMap((clause) => clause.tags));
}

const typed = (tags: readonly Tag[]): string =>
  tags.flatMap(({ words }) => words.map(({ value }) => value.toLowerCase())).join(" ");

/** "i'll …" is "i will …". */
const writtenOut = (clause: readonly Tag[]): string =>
  typed(opened(clause))
    .replaceAll(/(\w)'ll\b/g, "$1 will")
    .replaceAll(/\b(i)'?m\b/g, "$1 am")
    .replaceAll(/(\w)'re\b/g, "$1 are");

/** Tells something about the matter, and names nothing that could be changed: "she can't get in". */
const isAside = (clause: readonly Tag[]): boolean =>
  isStatement(clause) &&
  clause.every(
    (tag) =>
      !/^(?:thing|action|project|plan|selector|credential|policy)$/.test(tag.kind) &&
      !has(tag, "keepUp", "keepOff", "release", "dontKeep", "extend", "disable", "enable", "offboard", "skip"),
  );

/** What is asked for is taken back behind it: "… wait no, leave it". */
function isTakenBack(raw: string): boolean {
  const found = takenBack.exec(raw);
  const before = raw.slice(0, found?.index ?? 0);
  return /[\p{L}\d]{2}/u.test(before.replace(/\b(?:ok|okay|oh|well|hm+|and|but|so|oops|sorry|hi|hey|hello)\b/g, ""));
}

/** "hey alice, great work, shall we grab a coffee?" */
const chat =
  /\b(?:(?:great|good|nice|well) (?:work|job|done)|coffee|lunch|beer|birthday|congrats|congratulations|how are you|see you)\b/;

/** "bob, can you tell me …", "carol did you …", "… you verify that, bob?" */
function isToOther(tags: readonly Tag[], isWhole: boolean): boolean {
  const [who] = opened(tags);
  if (who?.kind === "person" && /,$/.test(lastWord(who)) && chat.test(typed(tags))) return true;
  if (!tags.some(({ words }) => words.some(({ value }) => addressing.test(value)))) return false;
  const [first, next, after] = opened(tags);
  const isCalled = /[,:]$/.test(lastWord(first));
  const asksYou =
    /^(?:can|could|would|will|did|do|are|have|were|should)$/.test(next?.text ?? "") &&
    /^(?:you|u)$/.test(after?.said ?? "");
  const isLast = tags.at(-1)?.kind === "person" && /,$/.test(lastWord(tags.at(-2)));
  if (isLast && /^(?:did|do|are|have|were|can|could|will|would)$/.test(first?.text ?? "")) return true;
  // Not everybody knows the names of all accounts here.
  const isName = first?.kind === "unknown" && isCalled && (!isWhole || /^\p{Lu}/u.test(first.words[0]?.value ?? ""));
  return isName ? asksYou : first?.kind === "person" && (asksYou || isCalled);
}
const addressing = /^(?:you|u|your|yours|ur|you're|you've)[,.?!]*$/i;

/** "alice said she needs …", but not "tell alice". */
const isSaidBySomebody = (tags: readonly Tag[]): boolean =>
  tags.some(
    ({ kind }, at) =>
      kind === "person" &&
      /^(?:said|says|thinks|believes|reckons|mentioned|claims|told|might|wants)$/.test(tags[at + 1]?.text ?? ""),
  );
