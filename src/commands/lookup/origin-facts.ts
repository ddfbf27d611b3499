import type { Entity } from "../../directory/directory.ts";
import type { Fact, Item } from "../answer.ts";
import type { QueryContext } from "../command.ts";
import { exclusionFacts, expiryOf, isSwitchedOff, processWords } from "../exclusion/exclusion-body.ts";
import { exclusionItem } from "../exclusion/exclusion-items.ts";

type Exclusion = Entity<"exclusion">;

/** An exclusion with who made it and why; one that is over with who ended it. */
export async function explainedItem(exclusion: Exclusion, context: QueryContext): Promise<Item> {
  const origin = await originFacts(exclusion, context);
  const endedAt = endOf(exclusion, context.now);
  if (endedAt === undefined) return exclusionItem(exclusion, context, origin);
  const { id, body } = exclusion;
  const held = isSwitchedOff(body) ? "Would have held back" : "Held back";
  return {
    title: body.name ?? id,
    facts: [
      { label: "Over since", value: { at: endedAt } },
      ...(await endFacts(exclusion, context)),
      { label: held, value: processWords(body.processes) },
      ...origin,
      ...exclusionFacts({ ...body, name: undefined }),
    ],
  };
}

/** When an exclusion ended or expired, in epoch ms; undefined if it is not over. */
export function endOf({ endedAt, body }: Exclusion, now: number): number | undefined {
  const expiry = expiryOf(body);
  const expiredAt = expiry !== undefined && expiry <= now ? expiry : undefined;
  return endedAt !== null ? Math.min(endedAt, expiredAt ?? endedAt) : expiredAt;
}

/** Who made it, and the reason they gave. */
async function originFacts(exclusion: Exclusion, context: QueryContext): Promise<readonly Fact[]> {
  const made = await lastDone(exclusion, "exclusion create", context);
  if (!made) return exclusion.ownerId === null ? [{ label: "By", value: "somebody outside Curfew" }] : [];
  return [{ label: "By", value: made.actorName }, ...(made.reason ? [{ label: "Reason", value: made.reason }] : [])];
}

async function endFacts(exclusion: Exclusion, context: QueryContext): Promise<readonly Fact[]> {
  const ended = exclusion.endedAt === null ? undefined : await lastDone(exclusion, "exclusion end", context);
  if (!ended) return [];
  const reason = ended.reason ? [{ label: "Reason of the end", value: ended.reason }] : [];
  return [{ label: "Ended by", value: ended.actorName }, ...reason];
}

async function lastDone({ id }: Exclusion, words: string, context: QueryContext) {
  const about = { subjects: [{ kind: "exclusion", id }], resourceIds: [] } as const;
  const [entry] = await context.history({ about, commands: [words], states: ["succeeded"], limit: 1 });
  return entry;
}
