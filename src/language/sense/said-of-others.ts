import type { Sense } from "./lexicon.ts";
import type { Tag } from "./tag.ts";

const done: readonly Sense[] = [
  ...(["keep", "keepUp", "extend", "shorten", "release", "end", "stop", "turnOff", "move"] as const),
  ...(["disable", "enable", "offboard", "detach", "rename", "unlock", "approve", "deny", "withdraw"] as const),
];
const subject = /^(?:i|we|he|she|they|you|it|that|this|somebody|someone|everybody|everyone|people|i've|ive|we've)$/i;
const aside =
  /^(?:already|just|also|have|has|had|finally|again|yesterday|oops|sorry|sry|oh|ok|okay|so|and|but|hi|hey|hello|well|fyi|btw|then|now|the)$/i;
const always = /^(?:always|usually|normally|often|sometimes|generally|mostly|regularly|used|to)$/i;
const please = /^(?:please|pls|plz|plse|kindly)$/;
const wordOf = (tag: Tag | undefined): string => tag?.words[0]?.value.toLowerCase().replace(/[,.:;!]+$/, "") ?? "";

/** "bob extended web until 22", "i already kept it up", "they keep web up": what somebody did or does, which asks for nothing. */
export function isDoneBySomebody(clause: readonly Tag[]): boolean {
  if (clause.some(({ text }) => please.test(text))) return false;
  const at = clause.findIndex((tag) => done.some((sense) => tag.senses.has(sense)) && tag.kind === "sense");
  const verb = clause[at];
  if (!verb) return false;
  const before = clause.slice(0, at);
  const after = clause.slice(at + 1).find(({ text }) => !/^(?:the|our|my|her|his|their|all|both|a|an)$/.test(text));
  const isSubject = (tag: Tag) => tag.kind === "person" || subject.test(wordOf(tag));
  const said = verb.text.split(" ")[0] ?? "";
  const isPast =
    !verb.isCorrected &&
    /(?:ed|kept|held|left)$/.test(said) &&
    !/^(?:need|needed|locked|booked|reserved|exempted)$/.test(said);
  const isOnlyTold = before.every((tag) => isSubject(tag) || aside.test(wordOf(tag)) || tag.kind === "time");
  const isOfThing = /^(?:thing|person|pronoun|action|project|credential|policy)$/.test(after?.kind ?? "");
  const isOver = after?.kind === "time" && (before.some(isSubject) || /^(?:ended|stopped)$/.test(said));
  if (isPast && isOnlyTold && (isOfThing || isOver)) return true;
  // "frank was disabled", "web is kept up"
  const [first, be] = before.filter((tag) => !aside.test(wordOf(tag)) && tag.text !== "that");
  const isState = isPast && first !== undefined && (first.kind === "thing" || first.kind === "person");
  if (
    isState &&
    before.length < 5 &&
    (/^(?:was|were)$/.test(wordOf(be)) || (first.kind === "thing" && /^(?:is|are)$/.test(wordOf(be))))
  )
    return true;
  const habit = before.filter((tag) => !aside.test(wordOf(tag)));
  const isHabit = habit.length > 0 && habit.every((tag) => subject.test(wordOf(tag)) || always.test(wordOf(tag)));
  const isOthers = habit.some((tag) => /^(?:they|you|he|she|it|people|everybody|everyone)$/.test(wordOf(tag)));
  return isHabit && /^keeps?$/.test(said) && (isOthers || habit.some((tag) => always.test(wordOf(tag))));
}

/** "thanks for keeping web up", "i hate that we keep web up". */
const feeling =
  /\b(?:(?:thanks|thank you|thx|sorry|sry|congrats|congratulations|apologies) (?:for|on) (?:\w+ing\b|the\b(?! (?:trouble|noise|hassle|inconvenience|late|fuss|bother|confusion|mess)))|(?<!would be (?:\w+ )?|'d be (?:\w+ )?|will be (?:\w+ )?)(?:great|good|nice|glad|happy|sad|hate|love|like|pity|shame|lovely|cool|annoying) (?:that|how|when) |\bused to (?:keep|hold|have|extend) )/;
/** "the readme says: …", "example: …". */
const cited =
  /\b(?:says|said|say|wrote|writes|typed|types|asked|asks|quote|quoting|example|e\.g\.?|translate|explain|simulate|dry run) ?:(?=\s)/;
/** "let's say we …" */
const supposed =
  /^(?:(?:so|ok|okay|and|now|please),? )?(?:(?:let'?s|lets) (?:just )?(?:say|pretend|imagine|assume|suppose)|say)\b(?! (?:so|that|hi|hello)\b)/;

export const isFelt = (raw: string): boolean => feeling.test(raw);
export const isCited = (raw: string): boolean => cited.test(raw);
export const isSupposed = (raw: string): boolean => supposed.test(raw);

const amiss = /^(?:wrong|mistake|mistaken|error|broken|back|later|instead|else|except|only|disagree|well)$/;

const halting =
  /^(?:not|don't|dont|doesn't|didn't|won't|wont|can't|cant|cannot|never|if|when|whenever|once|after|before|soon|later|first|unless|until|till|only|against|rejected|mean|meant|decide|decided|maybe|perhaps|would|should|wait|hold|wrong|mistake|mistaken|error|instead|else|except|disagree)$/;

/** "yes. tomorrow", "approved, as soon as I talked to her": beside a yes, only what is so already may be told. */
export const isHalted = (tags: readonly Tag[]): boolean =>
  tags.some(
    ({ kind, text, words }) =>
      words.some(({ value }) =>
        halting.test(
          value
            .toLowerCase()
            .replace(/[,.!?:;]+$/, "")
            .replace("’", "'"),
        ),
      ) ||
      (kind === "time" && !/^(?:today|now|yesterday|just now|this (?:morning|afternoon)|.* ago)$/i.test(text)),
  );

/** "looks good, wrong user", "do it to dave", "confirm with erin", "approved yesterday": no approval as it stands. */
export const isHalfApproved = (tags: readonly Tag[], cardPerson: string | undefined): boolean =>
  tags.some(
    ({ kind, text, senses }, at) =>
      amiss.test(text) ||
      (kind === "time" &&
        tags[at - 1]?.senses.has("approve") === true &&
        /\b(?:yesterday|last|ago|earlier)\b/i.test(text)) ||
      (kind === "person" && /^(?:with|to|as|by|from|than|via)$/.test(tags[at - 1]?.text ?? "")) ||
      (kind === "person" && tags[at - 1]?.text === "for" && text !== cardPerson) ||
      (senses.has("approve") &&
        /^(?:can|may|about|going)$/.test(wordOf(tags[tags[at - 1]?.text === "to" ? at - 2 : at - 1]))),
  );
