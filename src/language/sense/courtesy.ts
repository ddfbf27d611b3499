import type { Tag } from "./tag.ts";

/**
 * What asks politely for something and says nothing else: "would it be possible to …", "I'd be grateful if you could …". Each is
 * taken away, and the mark of its question with it.
 */
const asking: readonly RegExp[] = [
  /\b(?:would|will|is|might|may) it (?:be )?(?:at all |also )?(?:pos+ible|feasible|doable|ok|okay|alright|all right|fine|an option|too much(?: trouble| to ask)?)(?: (?:to|for|that)(?: (?:you|we|i)(?: (?:could|can|would))?)?| if (?:you|u|we|i) (?:could|can|would)| if)?\b/gi,
  /\bit would be pos+ible (?:for (?:you|u) )?to\b/gi,
  /\b(?:is|are|was) there (?:any|a|some) (?:chance|way|possibility|option) (?:to|of|for|that)(?: (?:you|u|we|i)(?: (?:could|can|would))?)?\b/gi,
  /\bany (?:chance|way|possibility) (?:(?:you|u|we|i) (?:could|can|would)|to|of|for)\b/gi,
  /\b(?:would|do|wud) (?:you|u) (?:please )?mind\b/gi,
  /\b(?:would|could|will|can) (?:you|u) (?:please )?be (?:so |as )?(?:kind|good|nice|able|willing)(?: (?:and|to|as to|enough to))\b/gi,
  /\bi (?:wonder|wondered|was wondering|am wondering) (?:if|whether) (?:you|u|it|we|i) (?:could|can|would|might)(?: be (?:possible|able)(?: (?:to|for))?)?\b/gi,
  /\b(?:do (?:you|u) )?think (?:you|u) (?:could|can|might)\b/gi,
  /\b(?:i|we)(?:'d| would| should| do)?(?: really| very much| highly)? appreciate(?: it)? (?:if|when) (?:(?:you|u)(?: (?:could|can|would))?)?\b/gi,
  /\b(?:i|we)(?:'d| would)(?: be| feel)? (?:really |very |so |extremely |most )?(?:grateful|thankful|glad|happy|obliged|delighted|love it|like it|prefer it|be in your debt) if (?:(?:you|u)(?: (?:could|can|would))?)?\b/gi,
  /\b(?:(?:it|that)(?:'d| would|d| will|'ll)|would|wud|it's|it is) (?:also )?(?:be )?(?:really |very |so |a lot |awfully )?(?:great|good|nice|lovely|cool|awesome|perfect|super|fantastic|wonderful|brilliant|helpful|kind|ideal|amazing|best|fine by me|help(?: me| us)?(?: out)?(?: a lot| a bit| a ton| greatly)?|make (?:my|our) (?:day|life easier)) if (?:(?:you|u)(?: (?:could|can|would))?\b)?/gi,
  /\b(?:i|we)(?:'d| would| do| will| have to| must| want to| wish to)?(?: like to| humbly| kindly)? (?:request|ask|beg) (?:you|u)(?: all)? (?:kindly )?(?:to|that)\b/gi,
  /^(?:please )?(?:get|ask) \w+(?:'s (?:ok|okay|approval|permission))?(?: ?:|,? (?:to (?:allow|approve|permit|ok|okay)(?: (?:that|it|me|us))?(?: to)?|for (?:permission|approval|(?:her|his|an) ok(?:ay)?)(?: to)?:?))(?= )/gi,
  /\b(?:see|check|try|look) (?:if|whether) (?:you|u) (?:can|could)\b/gi,
  /\b(?:may|might) we (?=(?:please |kindly )?(?:leave|skip|extend|keep|hold|have|end)\b)/gi,
];

/** Says no condition, though it looks like one, and doubts nothing. */
const empty: readonly RegExp[] = [
  /[,;(]? ?\b(?:but )?(?:only )?if (?:(?:it|that|this)(?:'s| is| isn't| is not|s| will be| would be)? |you |u )?(?:at all |not )?(?:too much(?: of a)? (?:trouble|bother|hassle|to ask)|an? (?:problem|bother|hassle|trouble)|a big deal|pos+ible|feasible|doable|okay|ok|all right|alright|fine|allowed|can|could|would|please|don't mind|dont mind|do not mind|may)(?: (?:with|for|by) (?:you|u|everyone|everybody|all|carol))?\b/gi,
  /[,;(]? ?\bif (?:it|that|this)(?:'s| is| can| could) (?:still |somehow |at all )*(?:be )?(?:pos+ible|arranged|managed|done)\b,?/gi,
  /[,;(]? ?\b(?:if|when|once) (?:you|u)(?:'ve| have)? (?:got )?(?:a |the )?(?:minute|sec|second|moment|time)\b,?/gi,
  /[,;(]? ?\bjust in case\b/gi,
  /[,;(]? ?\b(?:and|then) (?:then )?(?:please )?(?:ask|get|check with) (?:whoever|who|someone|somebody|her|him|them|\w+)\b[^,.;!?]{0,30}\b(?:agree|approve|approves|approval|allow|allows|permission|ok|okay|needed|necessary)\b/gi,
  /\b(?:may|might|can|could) i (?:please |kindly |also |just )*(?:know|ask(?: you)?|request(?: you)?(?: to)?)\b[:,]?/gi,
  /(?<=\S)[,;.]? ?\b(?:kindly|please|pls) (?:confirm|advise|clarify|reply|respond|let (?:me|us) know)[\s.!]*$/gi,
  /(?<=[,.?!]) ?\b(?:what(?:'s| is)|any) your (?:opinion|take|view|advice)\b[^?.!,]*\s*\?*/gi,
  /(?<=[,.?!]) ?\bwhat do (?:you|u) (?:all )?think\b\s*\?*/gi,
  /(?<=\S)(?<!\bmany)[,;]? (?:and )?(?:many thanks|thanks|thank you|thx)(?: (?:so|very) much| a lot| a ton| in advance)?[\s.!]*$/gi,
  /[,;(] ?(?:and )?(?:i|we)? ?(?:do )?(?:hope|trust|guess)(?: that)?(?:'s| is)? (?:(?:it|that|this)(?:'s| is| isn't| is not| will be|s)? )?(?:not )?(?:too much(?: trouble| to ask)?|ok|okay|fine|all right|alright|possible|no problem|not a problem|allowed)\b[?.!]*/gi,
  /(?<=\b(?:can|could|would|will|may) (?:you|u|we|i|someone|somebody)(?: please| pls)?) possibly\b/gi,
];

/** Asks behind an order whether it is heard. */
const tagQuestion =
  /[ ,;–—(-]{1,4}(?:ok|okay|k|please|pls|plz|can you|could you|can u|could u|would you|will you|can you do that|could you do that|can that be done|can we do that|can you manage|(?:is|would) (?:that|it|this) (?:be )?(?:ok|okay|pos+ible|fine|all right|alright|doable|feasible|allowed|an option)(?: with you| for you)?|pos+ible|alright|all right|deal|cool|thanks|thank you|thx|cheers)\s*\?+[\s)]*(?=$|[\p{L}\d])/giu;

/**
 * The line without what is said only to be polite, so that the rest is read as the order it is. What is quoted stays as it is.
 */
export function withoutCourtesy(line: string): string {
  return line
    .split(/("[^"]*"|“[^”]*”)/)
    .map((part, at) => (at % 2 === 1 ? part : plainly(part)))
    .join("");
}

const plainly = (part: string): string =>
  part
    .replaceAll("’", "'")
    .replace(/^(?:can'?t|couldn'?t) (?=(?:you|u)\b)(?!.*(?:\?|approve (?:it|this|that)\b))/i, "can ")
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.!?])(?=\s)/)
    .map((sentence) => {
      const asked = asking.reduce((said, each) => said.replace(each, "please "), sentence);
      const said = asked === sentence ? sentence : asked.replace(/\?+(?=[\s)]*$)/, ".");
      const bare = empty.reduce((each, words) => each.replace(words, ""), said);
      return bare.replace(tagQuestion, (found, at: number) => (isTold(bare.slice(0, at)) ? found : ", please."));
    })
    .join("");

/** Nothing is asked in front of it, or something that is already so: "web is up until eight, ok?". */
const isTold = (before: string): boolean =>
  !/\p{L}/u.test(before) || /^\W*(?:\S+ ){1,4}(?:is|are|was|were|has|have)\b/i.test(before);

const thanks =
  /^(?:thanks?|thx|ty|tysm|thnx|tnx|cheers|danke|merci|gracias|nvm|nevermind|never mind|nm|forget it|forget about it|ok|okay|k|kk|cool|great|perfect|awesome|nice|super|lovely|brilliant|excellent|wonderful|fantastic|amazing|good|fine|alright|sorry|sry|oops|ups|whoops|hi|hello|hey|hallo|bye|goodbye|ciao|lol|haha|yay|wow|welcome|morning|gotcha|understood|noted|roger|appreciated|kudos)$/;
const praise =
  /^(?:appreciated?|grateful|worked|helped|helpful|helps|nicely|nice|great|perfect|perfectly|awesome|lovely|brilliant|super|wonderful|fantastic|smoothly|amazing|love|lifesaver|legend|hero|rock|rocks)$/;
const past = /\b(?:worked|was|were|held|did|helped|last|yesterday|earlier|ago)\b/;
const elsewhere =
  /\b(?:wrong|other|another|different) (?:channel|thread|window|chat|tab|bot|room|terminal)\b|\bwrong place\b|\b(?:not (?:meant )?for (?:you|u|here|this)|meant for (?:someone|somebody|another|the other)|ignore (?:that|this|me|my last)|please ignore|pls ignore|(?:in|for|to) (?:the|an) ?other (?:channel|thread)|wanted to (?:write|post|send|type) (?:this|that|it) (?:in|to))\b/;
const small =
  /^(?:very|so|so much|much|a|lot|lots|all|again|for|the|that|this|it|its|it's|was|is|just|you|u|your|and|but|then|now|my|bad|me|i|we|everyone|everybody|team|guys|mate|bot|curfew|help|quick|fast|answer|reply|really|too|have|had|day|evening|one|weekend|night|to|know|no|worries|problem|need|will|do|done|got|thank|many|in|advance|friend|dear|already|anyway|there|today)$/;

const said =
  /\b(?:thanks?|thx|ty|tysm|tnx|thnx|cheers|danke|appreciated?|grateful|never ?mind|nvm|nm|forget it|ok|okay|kk?|cool|great|perfect|awesome|nice|nicely|lovely|brilliant|excellent|wonderful|fantastic|sorry|sry|oops|gotcha|understood|noted|roger|kudos|lol|good job|well done|works now|fine)\b/;

/** Only thanks, a greeting or an excuse: how it is answered; undefined where anything is asked for. */
export function answerToCourtesy(clauses: readonly (readonly Tag[])[], raw: string): string | undefined {
  if (elsewhere.test(raw)) return "No problem. Nothing was changed.";
  if (clauses.length === 0 || /\?/.test(raw)) return undefined;
  const isEmpty = (clause: readonly Tag[]) =>
    clause.every(({ text, kind }) => kind === "person" || thanks.test(text) || small.test(text) || text === "");
  const isPraise = (clause: readonly Tag[]) =>
    (clause.some(({ text }) => praise.test(text)) || /^(?:thanks?|thx|ty|cheers)$/.test(clause[0]?.text ?? "")) &&
    !clause.some(({ text }) => /^(?:please|pls|plz|can|could|need|want|if)$/.test(text)) &&
    clause.every(({ kind, text }) => kind !== "time" || past.test(text)) &&
    (clause.every(({ kind }) => kind !== "thing" && kind !== "address" && kind !== "action") || past.test(raw));
  if (!said.test(raw)) return undefined;
  if (!clauses.every((clause) => isEmpty(clause) || isPraise(clause))) return undefined;
  if (/\b(?:sorry|sry|oops|never ?mind|nvm|nm|forget (?:it|about it))\b/.test(raw))
    return "No problem. Nothing was changed.";
  return /\b(?:thanks?|thx|ty|tysm|tnx|thnx|cheers|danke|appreciated?|grateful)\b/.test(raw)
    ? "You're welcome."
    : "All right. Nothing was changed.";
}
