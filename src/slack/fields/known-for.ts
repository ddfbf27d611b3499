import type { Field, Input } from "../../commands/field.ts";
import type { PlacedDirectory, Entity } from "../../commands/known.ts";

/** As many as are looked through for those that belong to one thing; far more than anybody has. */
const mostLookedThrough = 1000;

/** What a field can name: where it is `of` another that is given (a selector of a plan), nothing that is known to belong elsewhere. */
export function directoryFor(field: Field, input: Input, directory: PlacedDirectory): PlacedDirectory {
  const owner = field.kind === "reference" && field.of !== undefined ? input[field.of] : undefined;
  if (typeof owner !== "string") return directory;
  return {
    ...directory,
    match: async (kind, text) => (await directory.match(kind, text)).filter((thing) => mayBelongTo(owner, thing)),
    search: async (kind, text, limit) =>
      (await directory.search(kind, text, mostLookedThrough)).filter((thing) => mayBelongTo(owner, thing)).slice(0, limit),
  };
}

function mayBelongTo(owner: string, { body }: Entity): boolean {
  const planId = "planId" in body ? body.planId : undefined;
  return planId === undefined || planId === null || planId === owner;
}
