import type { Tag } from "./tag.ts";

/** A sentence with its subject first: "her tests are not done". */
export function isStatement(clause: readonly Tag[]): boolean {
  const [first, second] = clause.filter(
    ({ text }) =>
      !/^(?:and|but|so|as|since|because|while|the|then|also|plus|btw|fyi|well|just|now|all|both)$/.test(text),
  );
  const word = first?.words[0]?.value.toLowerCase() ?? "";
  // "tests not done"
  if (clause.some(({ text }, at) => at > 0 && /^(?:not|still)$/.test(text) && state.test(clause[at + 1]?.text ?? "")))
    return true;
  if (
    /^(?:i|we|he|she|they|it|there|nobody|everyone|everybody|someone|somebody|people)(?:'\w+)?$|^(?:im|ive|its|shes|hes|theyre|theres)$/.test(
      word,
    )
  )
    return second !== undefined && !/^(?:need|want|require)s?$/.test(second.text) && !/^i'd|^we'd/.test(word);
  return (
    (first?.kind === "person" || /^(?:my|our|her|his|their)$/.test(word) || first?.kind === "unknown") &&
    clause.slice(1).some(({ text }) => verbs.test(text))
  );
}

const state =
  /^(?:yet|done|over|finished|ready|complete|completed|through|green|stable|running|failing|open|working|passing|slow)$/;

const verbs =
  /^(?:is|are|was|were|has|have|had|isn't|isnt|aren't|wasn't|hasn't|hasnt|haven't|doesn't|doesnt|don't|didn't|didnt|can't|cant|cannot|won't|wont|will|says|said|runs|takes|needs|comes|goes|wants|found|lost|left|got)$/;
