import { type Joining, negation } from "./joining.ts";
import type { Tag } from "./tag.ts";

const requested = /^(?:request|requests|removal|petition|thing|stuff|ticket|ask|reset|req|case)$/;
const calledOff = /^(?:cancel|stop|drop|kill|scrap|bin|end|close|abort|discard|revoke|pull)/;
const asides = /^(?:already|just|also|has|have|had|now|then|said|says|finally|even)$/;
const selves = /^(?:i|we|i'm|im|i've|ive|we've|i'd|i'll)$/;

/** What is said of requests: "cancel my thing with …", "no" as an answer, and what others have approved. */
export function ofRequests(clause: Joining, isOfRequest: boolean): void {
  ofAccounts(clause);
  notApproved(clause);
  calledOffAgain(clause);
  if (isOfRequest) answers(clause);
  reported(clause);
}

/** What is said of accounts, policies and credentials in several words. */
function ofAccounts(clause: Joining): void {
  const { all, has, within, become, places } = clause;
  barred(clause);
  for (const [at, { text }] of all.entries()) {
    const last = (words: RegExp) => all.findIndex((tag, index) => index > at && words.test(tag.text));
    const what = within(at, "login", "account");
    // "give frank his access back", "open frank's account"
    const isGiven = /^(?:give|gets?|return|needs?|have|regain|hand)$/.test(text) && last(/^(?:back|again)$/) > what;
    const isOpened = /^(?:restore|reinstate)$/.test(text) || (text === "open" && what <= at + 3);
    if (what !== -1 && (isGiven || isOpened)) become("enable", at, what);
    // "a fresh second factor"
    const isNew = text === "fresh" || (/^(?:new|another|different)$/.test(text) && places("need").length > 0);
    if (isNew && has(at + 1, "mfa")) become("reset", at);
    if (/^(?:read|reads)$/.test(all[at]?.words[0]?.value ?? "") && all[at + 1]?.kind === "address") silence(all, at);
    if (/^(?:throw|chuck|toss)$/.test(text) && last(/^(?:away|out)$/) !== -1) become("end", at, last(/^(?:away|out)$/));
    // "the full leaver process"
    if (/^(?:full|complete|proper|formal|fully|properly)$/.test(text) && places("offboard").length > 0)
      silence(all, at);
    // "ok for erin's mfa"
    const isOk = /^(?:ok|okay)$/.test(text) && /^(?:for|to|with)$/.test(all[at + 1]?.text ?? "");
    if (isOk && places("mfa").length > 0) become("approve", at);
  }
}

/** "dave shouldn't have Billing any more", "he must not be able to log in", "make sure he can't log in". */
function barred({ all, become, places }: Joining): void {
  const said = (at: number) => all[at]?.text ?? "";
  const negated = all.findIndex(({ text }) => negation.test(text));
  const isBarred = /^(?:must|should|may|shall)/.test(said(negated) === "not" ? said(negated - 1) : said(negated));
  const made = all.findIndex(({ text }) => /^(?:make|ensure)$/.test(text));
  const policy = all.findIndex(({ kind }) => kind === "policy");
  const isHad = all
    .slice(Math.max(negated, 0), Math.max(policy, 0))
    .some(({ text }) => /^(?:have|keep|hold)$/.test(text));
  if (negated !== -1 && isBarred && isHad)
    become("detach", negated, ...places("keep", "dontKeep", "keepUp", "anymore"));
  if (places("phone", "mfa", "disable", "end", "detach", "off", "stop", "unlock").length > 0) return;
  const login = all.findIndex(({ senses, text }) => senses.has("login") && !/^(?:login|logins|logon)$/.test(text));
  const others = [...places("allowed", "anymore"), ...all.flatMap((_, at) => (said(at) === "sure" ? [at] : []))];
  if (login !== -1 && negated !== -1 && isBarred) become("disable", negated, login, ...others);
  const out = places("lockedOut");
  if (out.length > 0 && made !== -1 && made < (out[0] ?? 0)) become("disable", made, ...out, ...others);
}

function silence(all: Tag[], at: number): void {
  const tag = all[at];
  if (tag) all[at] = { ...tag, kind: "small", senses: new Set() };
}

/** "not approved", "I won't approve that" denies; "not approved yet" does not. */
function notApproved({ all, has, become, places }: Joining): void {
  const at = all.findIndex(({ text }) => /^(?:not|don't|dont|won't|wont|never)$/.test(text));
  const [approved = -1] = places("approve", "okay");
  if (at === -1 || approved < at || approved > at + 2 || has(approved, "request")) return;
  if (approved === at + 2 && all[at + 1]?.kind !== "small") return;
  if (all.some(({ text, kind }) => kind === "time" || notYet.test(text))) return;
  become("deny", at, approved);
}

const notYet = /^(?:yet|now|until|till|without|before|if|unless|so|but|only|sure|why|by)$/;

/** "cancel the mfa removal", "i no longer need the reset of her mfa". */
function calledOffAgain({ all, has, become }: Joining): void {
  // "no need to make it longer"
  for (const [at, tag] of all.entries())
    if (tag.text === "no need" && /^(?:to|of|for)$/.test(all[at + 1]?.text ?? ""))
      all[at] = { ...tag, kind: "small", text: "not", senses: new Set() };
  const isOwn = all.some(({ kind, senses }) => kind === "self" || kind === "person" || senses.has("mfa"));
  if (all.some(({ kind }) => kind === "thing" || kind === "action" || kind === "project")) return;
  // "cancel alice's thursday thing on the 3rd" is about what is planned.
  if (
    all.some(
      ({ kind, text }) => kind === "time" && /day\b|\b(?:dec|jan|nov)/i.test(text) && !/yesterday|today/i.test(text),
    )
  )
    return;
  const verb = all.findIndex(
    ({ text, senses }, at) =>
      senses.has("withdraw") ||
      (calledOff.test(text) && has(at, "end", "withdraw", "undo", "stop", "detach")) ||
      senses.has("anymore") ||
      senses.has("release"),
  );
  if (verb === -1 || !isOwn || all.some(({ kind }) => kind === "policy")) return;
  const noun = all.findIndex(({ text }, at) => at !== verb && requested.test(text));
  if (noun !== -1) become("withdraw", verb, noun);
}

/** "no" answers by itself, or in front of a sentence: not in "no idea". */
function answers({ all, become }: Joining): void {
  for (const [at, tag] of all.entries()) {
    if (!tag.senses.has("no")) continue;
    const next = all[at + 1]?.words[0]?.value.toLowerCase() ?? "";
    const isAlone = all.every((each) => each === tag || each.kind === "small" || each.kind === "self");
    const isFirst = at === 0 && /^(?:she|he|they|she's|he's|they're|shes|hes|theyre|there|this|it)$/.test(next);
    if (isAlone || isFirst) become("deny", at);
  }
}

/** "her manager approved it" is no approval. */
function reported({ all }: Joining): void {
  for (const [at, tag] of all.entries()) {
    if (!(["approve", "deny", "okay"] as const).some((sense) => tag.senses.has(sense))) continue;
    let before = at - 1;
    while (before >= 0 && asides.test(all[before]?.text ?? "")) before--;
    const isPassive = /^(?:was|were|been|would|could|might)$/.test(all[before]?.words[0]?.value.toLowerCase() ?? "");
    if (isPassive || isSomebodyElse(all[before]) || isBySomebody(all, at))
      all[at] = { ...tag, kind: "unknown", senses: new Set() };
  }
}

function isSomebodyElse(tag: Tag | undefined): boolean {
  const word = tag?.words.at(-1)?.value.toLowerCase() ?? "";
  if (!tag || selves.test(word) || /[,;:.!]$/.test(word)) return false;
  if (tag.kind === "person") return !/['’]s?$/.test(word);
  return tag.kind === "unknown" || /^(?:he|she|they|someone|somebody|everyone|everybody|manager|boss)$/.test(word);
}

const isBySomebody = (all: readonly Tag[], at: number): boolean =>
  all[at + 1]?.text === "by" && all[at + 2] !== undefined && all[at + 2]?.kind !== "self";
