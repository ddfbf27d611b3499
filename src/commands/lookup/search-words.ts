import type { Entity, EntityKind } from "../../directory/directory.ts";
import type { FillContext } from "../command.ts";

const maxSearched = 1000;

/** The entities whose name, id or e-mail address contains each of these words; a selector's also its plan's id. */
export async function searchWords<K extends EntityKind>(
  kind: K,
  words: string,
  { directory }: Pick<FillContext, "directory">,
): Promise<readonly Entity<K>[]> {
  const [first = "", ...others] = words.toLowerCase().split(/\s+/).filter(Boolean);
  const isSelector = kind === "selector";
  const found = await directory.search(kind, isSelector ? "" : first, maxSearched);
  return found.filter(({ id, name, email, body }) => {
    const planId = isSelector && "planId" in body ? body.planId : undefined;
    const searched = [id, name, email, planId].join("\n").toLowerCase();
    return (isSelector ? [first, ...others] : others).every((word) => searched.includes(word));
  });
}
