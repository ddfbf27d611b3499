import type { Entity } from "../../directory/directory.ts";
import type { FillContext } from "../command.ts";

const maxSearched = 1000;

/** The entities whose name, id or e-mail address contains each of these words. */
export async function searchWords<K extends "user" | "project">(
  kind: K,
  words: string,
  { directory }: Pick<FillContext, "directory">,
): Promise<readonly Entity<K>[]> {
  const [first = "", ...others] = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = await directory.search(kind, first, maxSearched);
  return found.filter(({ id, name, email }) => {
    const searched = [id, name, email].join("\n").toLowerCase();
    return others.every((word) => searched.includes(word));
  });
}
