import type { Tag } from "./tag.ts";

const opening =
  /^(?:and|but|so|as|since|because|bc|cause|while|when|then|also|plus|btw|fyi|well|just|now|ok|okay|hi|hey|hello|sorry|oh|ugh|cause|where|which|that|who|unfortunately|luckily|apparently|anyway|yes|no|though|however|for|seems|looks|like)$/;
const pronoun =
  /^(?:i|we|he|she|they|it|there|this|that|these|those|you|u|nobody|everyone|everybody|someone|somebody|people|everything|nothing|something|half)(?:'\w+)?$|^(?:im|ive|its|shes|hes|theyre|theres|thats|whats|ill|dont|didnt|cant)$/;
const possessive = /^(?:my|our|her|his|their|your|the|a|an|this|that|some|another|both|all|most|many|two|three)$/;
/** A verb in a form that has a subject. */
const finite =
  /^(?:is|are|am|was|were|has|have|had|isn't|isnt|aren't|arent|wasn't|weren't|hasn't|hasnt|haven't|havent|hadn't|does|do|did|doesn't|doesnt|don't|dont|didn't|didnt|can|can't|cant|cannot|could|couldn't|won't|wont|will|would|wouldn't|might|may|must|should|shouldn't|says|said|runs|ran|takes|took|needs|needed|comes|came|goes|went|wants|wanted|finds|found|loses|lost|leaves|left|gets|got|gave|gives|made|makes|knows|knew|told|thinks|thought|feels|felt|sees|saw|keeps|kept|began|begins|broke|breaks|forgot|seems|looks|became|brings|brought|hates|likes|hangs|hung|sits|sat|stands|stood|does|fell|falls|spoke|speaks|wrote|pays|paid|sent|sends|meets|met|lies|means|meant|ran|got|gone|begged|yelled|asked|called)$/;
const needs = /^(?:need|want|require|would|'d|wanna|gotta|should|must)s?$/;

const typed = (tag: Tag | undefined): string =>
  tag?.words[0]?.value
    .toLowerCase()
    .replace(/^[("'“]+|[,.!?;:)"'”]+$/g, "")
    .replace("’", "'") ?? "";

/** Whether a word looks like a verb with a subject before it: "bounces", "flagged". */
const isInflected = (tag: Tag, at: number): boolean =>
  at > 0 && (tag.kind === "unknown" || tag.kind === "sense") && /ed$/.test(typed(tag)) && typed(tag).length > 3;

/** A sentence with its subject first: "her tests are not done", "marketing begged me". */
export function isStatement(clause: readonly Tag[]): boolean {
  const from = clause.findIndex(
    (tag) => !opening.test(typed(tag)) || (tag.kind !== "small" && tag.kind !== "sense" && tag.kind !== "unknown"),
  );
  const said = clause.slice(Math.max(from, 0));
  // "tests not done"
  if (said.some((tag, at) => at > 0 && /^(?:not|still)$/.test(typed(tag)) && state.test(typed(said[at + 1]))))
    return true;
  const [first, second] = said;
  const word = typed(first);
  if (first?.kind !== "person" && pronoun.test(word)) {
    const verb = said.find(
      (tag, at) => at > 0 && !/^(?:just|really|also|still|already|only|all|both|never|always)$/.test(typed(tag)),
    );
    if (verb === undefined) return false;
    if (/^(?:i|we|it|they|this|that)$/.test(word) && needs.test(typed(verb))) return false;
    if (/^(?:i'd|we'd|id)$/.test(word)) return false;
    // "this weekend", "that group"
    return (
      !/^(?:this|that|these|those|half|something|everything)$/.test(word) ||
      said.some((tag, at) => at > 0 && finite.test(typed(tag)))
    );
  }
  // "disabling him was only the first step"
  if (/ing$/.test(word) && said.some((tag, at) => at > 0 && /^(?:is|was|isn't|wasn't)$/.test(typed(tag)))) return true;
  const isNoun =
    first !== undefined &&
    (first.kind === "person" ||
      first.kind === "thing" ||
      first.kind === "unknown" ||
      first.kind === "project" ||
      first.kind === "policy" ||
      first.kind === "time" ||
      possessive.test(word) ||
      isNounSense(first));
  if (!isNoun || second === undefined) return false;
  // "her tests" is no sentence.
  const subject = possessive.test(word) ? 1 : 0;
  return said.some((tag, at) => at > 0 && (finite.test(typed(tag)) || (at > subject && isInflected(tag, at))));
}

const nouns = [
  "machine",
  "user",
  "account",
  "phone",
  "project",
  "backup",
  "newcomer",
  "action",
  "work",
  "deploy",
  "holiday",
  "budget",
  "email",
] as const;
const isNounSense = ({ senses }: Tag): boolean => nouns.some((sense) => senses.has(sense));

const state =
  /^(?:yet|done|over|finished|ready|complete|completed|through|green|stable|running|failing|open|working|passing|slow)$/;
