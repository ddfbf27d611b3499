import { isCommon } from "../../directory/common-words.ts";
import { lexicon } from "./lexicon.ts";

/** What stands behind the name of a group of machines. */
export const ofMachines =
  /^(?:databases?|dbs?|machines?|servers?|boxe?s?|instances?|nodes?|vms?|hosts?|env|environments?|systems?|clusters?|group|project)$/;
/** Nobody means anything else by these. */
const abbreviations = /^(?:stag|prod|devel)$/;
/** Words without a vowel that are no names. */
const others = new Set(
  (
    "hmm mhm pfft brb tbh fyi btw nvm mfa ssh ssl tls sql dns vpn http https html css xml npm pdf csv tcp udp ssd hdd nfs rdp sdk cdn " +
    "vpc rds llm cfg pkg str ptr gmbh ltd hrs mins wks mths mon tmr why shy try dry cry fly sky spy rhythm gym gbp jpg png mp3 lts "
  ).split(" "),
);
export const mayBeShort = (word: string): boolean =>
  /^[a-z]{3,12}$/.test(word) && !lexicon().longest.has(word) && !isCommon(word) && !others.has(word);

/** The word of a name that is said in short, of all such words. `isBesideMachines`: "servers" or the like follows. */
export function saidInShort(word: string, isBesideMachines: boolean, parts: readonly string[]): string | undefined {
  const begin = isBesideMachines || abbreviations.test(word) ? word.replace(/(?<=...)(?:ing|s)$/, "") : undefined;
  const isBare = /^[^aeiou]+$/.test(word);
  if (begin === undefined && !isBare) return undefined;
  const found = parts.filter(
    (part) =>
      (begin !== undefined && part.startsWith(begin)) ||
      (isBare && part.length > word.length && hasInOrder(part, word)),
  );
  const [first, ...more] = found.toSorted((one, other) => one.length - other.length);
  return first !== undefined && more.every((part) => part.startsWith(first)) ? first : undefined;
}

/** "staging" has the letters of "stg" in this order. */
function hasInOrder(word: string, letters: string): boolean {
  let at = 0;
  for (const letter of word) if (letter === letters[at]) at++;
  return at === letters.length;
}
