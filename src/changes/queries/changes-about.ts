import type { CommandContext } from "../../commands/command.ts";
import type { ChangeStore } from "../ports.ts";

/** The changes of an entity that were made, the latest first. */
export const createChangesAbout =
  ({ about }: Pick<ChangeStore, "about">): NonNullable<CommandContext["changesAbout"]> =>
  async (kind, id) => {
    const changes = await about(kind, id);
    return changes
      .map(({ actor, answer, settledAt, requestedAt }) => ({
        actorId: actor.userId,
        answer,
        at: settledAt ?? requestedAt,
      }))
      .reverse();
  };
