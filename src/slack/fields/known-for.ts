import type { Field, Input } from "../../commands/field.ts";
import type { Directory, KnownThing } from "../../commands/known.ts";

/** As many as are looked through for those that belong to one thing; far more than anybody has. */
const mostLookedThrough = 1000;

/** What a field can name: where it is `of` another that is given (a selector of a plan), nothing that is known to belong elsewhere. */
export function knownFor(field: Field, input: Input, known: Directory): Directory {
  const owner = field.kind === "reference" && field.of !== undefined ? input[field.of] : undefined;
  if (typeof owner !== "string") return known;
  return {
    ...known,
    match: async (kind, text) => (await known.match(kind, text)).filter((thing) => mayBelongTo(owner, thing)),
    search: async (kind, text, limit) =>
      (await known.search(kind, text, mostLookedThrough)).filter((thing) => mayBelongTo(owner, thing)).slice(0, limit),
  };
}

function mayBelongTo(owner: string, { body }: KnownThing): boolean {
  const planId = "planId" in body ? body.planId : undefined;
  return planId === undefined || planId === null || planId === owner;
}
