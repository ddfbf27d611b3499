import { type Joined, joinedBy, rulesFrom } from "./joining.ts";
import { has, lastWord, type Tag } from "./tag.ts";

const elsewhere = "#phone|#mfa|#disable|#end|#detach|#off|#stop|#unlock";

const kept = "#anymore|#keep|#dontKeep|#keepUp";
const notYet = "@time|yet|now|until|till|without|before|if|unless|so|but|only|sure|why|by";
const isVerb = (found: readonly Tag[]): boolean => !/^(?:login|logins|logon)$/.test(found.at(-1)?.text ?? "");

/** What is said of accounts, policies and requests in several words. */
const accounts = rulesFrom([
  // "dave shouldn't have Billing any more", "make sure he can't log in"
  ["=must|should|may|shall +NEGATED have|#keep|#keepUp|#dontKeep =@policy", "detach", { also: kept }],
  ["make|ensure #lockedOut", "disable", { unless: elsewhere, also: "#lockedOut|#allowed|#anymore|sure" }],
  ["mustn't|shouldn't #login", "disable", { unless: elsewhere, also: "#allowed|#anymore", when: isVerb }],
  // "he must not be able to log in"
  ["=must|should|may|shall +NEGATED #login", "disable", { unless: elsewhere, also: "#allowed|#anymore", when: isVerb }],
  // "give frank his access back", "open frank's account"
  ["give|get|gets|return|need|needs|have|regain|hand #login|#account =back|again", "enable"],
  ["restore|reinstate #login|#account", "enable"],
  ["open #login|#account", "enable"],
  ["fresh +=#mfa", "reset"],
  ["new|another|different +=#mfa", "reset", { with: "#need" }],
  ["kill|cut|end|revoke|pull|stop|terminate|take >access", "disable", { unless: "@policy|#mfa|@thing" }],
  ["kill|cut|end|revoke|pull|stop|terminate|take >=@person access", "disable", { unless: "@policy|#mfa|@thing" }],
  ["=#phone|#mfa =is|was|got|has|went gone|missing|dead|away|kaputt|wiped|drowned|destroyed", "unlock"],
  // "give bob his ok"
  ["give|gives =@person|him|her|them =ok|okay|approval|blessing|go", "approve"],
  ["ok|okay +=for|to|with", "approve", { with: "#mfa" }],
  // "I won't approve that", but not "not approved yet"
  ["not|don't|won't|never >#approve|#okay", "deny", { unless: notYet, when: (found) => !has(found[1], "request") }],
  // "dave is off today" says where he is, and asks for nothing.
  ["=@person =is|are|was|were #off|#up", "nothing"],
  // "the full leaver process"
  ["full|complete|proper|formal|fully|properly", "nothing", { with: "#offboard" }],
]);

const requested = /^(?:request|requests|removal|petition|thing|stuff|ticket|ask|reset|req|case|demand)$/;
const calledOff = /^(?:cancel|stop|drop|kill|scrap|bin|end|close|abort|discard|revoke|pull|retire)/;
const asides = /^(?:already|just|also|has|have|had|now|then|said|says|finally|even)$/;
const selves = /^(?:i|we|i'm|im|i've|ive|we've|i'd|i'll)$/;

/** What is said of requests: "cancel my thing with …", "no" as an answer, and what others have approved. */
export function composeRequests(clause: Joined, isOfRequest: boolean): void {
  joinedBy(accounts, clause);
  calledOffAgain(clause);
  if (isOfRequest) answers(clause);
  reported(clause);
}

/** "cancel the mfa removal", "i no longer need the reset of her mfa". */
function calledOffAgain({ all, put, become }: Joined): void {
  // "no need to make it longer"
  for (const [at, { text }] of all.entries())
    if (text === "no need" && has(all[at], "withdraw") && /^(?:to|of|for)$/.test(all[at + 1]?.text ?? ""))
      put(at, { text: "not" });
  const isOwn = all.some((tag) => tag.kind === "self" || tag.kind === "person" || has(tag, "mfa"));
  // "cancel alice's thursday thing on the 3rd" is about what is planned.
  const isPlanned = ({ kind, text }: Tag) =>
    kind === "time" && /day\b|\b(?:dec|jan|nov)/i.test(text) && !/yesterday|today/i.test(text);
  if (!isOwn || all.some((tag) => /^(?:thing|action|project|policy)$/.test(tag.kind) || isPlanned(tag))) return;
  const verb = all.findIndex(
    (tag) =>
      has(tag, "withdraw", "anymore", "release") ||
      (calledOff.test(tag.text) && has(tag, "end", "undo", "stop", "detach", "offboard")),
  );
  const noun = all.findIndex(({ text }, at) => at !== verb && requested.test(text));
  if (verb !== -1 && noun !== -1) become("withdraw", verb, noun);
}

/** "no" answers by itself: not in "no idea". */
function answers({ all, become, places }: Joined): void {
  for (const at of places("no")) {
    if (all.every(({ kind }, index) => index === at || kind === "small" || kind === "self")) become("deny", at);
  }
}

/** "her manager approved it" is no approval. */
function reported({ all, put, places }: Joined): void {
  for (const at of places("approve", "deny", "okay")) {
    let before = at - 1;
    while (before >= 0 && asides.test(all[before]?.text ?? "")) before--;
    const isPassive = /^(?:was|were|been|would|could|might)$/.test(all[before]?.said ?? "");
    const isBySomebody = all[at + 1]?.text === "by" && all[at + 2] !== undefined && all[at + 2]?.kind !== "self";
    if (isPassive || isBySomebody || isSomebodyElse(all[before])) put(at, { kind: "unknown" });
  }
}

function isSomebodyElse(tag: Tag | undefined): boolean {
  const word = lastWord(tag).toLowerCase();
  if (!tag || selves.test(word) || /[,;:.!]$/.test(word)) return false;
  if (tag.kind === "person") return !/['’]s?$/.test(word);
  return tag.kind === "unknown" || /^(?:he|she|they|someone|somebody|everyone|everybody|manager|boss)$/.test(word);
}
