import type { Person } from "../about-changes/about-changes.ts";
import type { Problem } from "../answer.ts";
import type { QueryContext } from "../command.ts";

export type PersonContext = Pick<QueryContext, "actor" | "personIn" | "requesters" | "roles">;

/** Somebody who asked for changes, by a mention, or by their name or a word of it. Who holds no role finds only themselves. */
export async function personNamed(text: string, context: PersonContext): Promise<Person | Problem | undefined> {
  const [, mentioned, label] = /^<@([^|>]+)(?:\|([^>]*))?>$/.exec(text) ?? [];
  if (mentioned !== undefined)
    return { userId: mentioned, name: label || ((await context.personIn(mentioned))?.name ?? mentioned) };
  const said = text.replace(/^@/, "").toLowerCase();
  const { actor, roles } = context;
  const known = roles.length === 0 ? [{ userId: actor.userId, name: actor.name }] : await context.requesters();
  const named = known.filter(({ name, userId }) => name.toLowerCase() === said || userId.toLowerCase() === said);
  const found = named.length > 0 ? named : known.filter(({ name }) => name.toLowerCase().split(/\s+/).includes(said));
  const [person, ...others] = found;
  if (!person || others.length === 0) return person;
  const names = found.map(({ name, userId }) => `${name} (${userId})`).join(", ");
  return { problem: `“${text}” could be more than one person: ${names}. Mention the one you mean.` };
}
