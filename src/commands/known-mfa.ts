import type { Entity } from "../directory/directory.ts";
import { mfaTypes, User } from "../service/resources.ts";
import { formatMoment } from "../time/format-moment.ts";
import type { CommandButton, Problem } from "./answer.ts";
import type { CommandContext } from "./command.ts";

/** A removal that does not fit what is known. Only an earlier answer of the service is certain enough to refuse it for good. */
export async function contradictsKnown(
  words: string,
  input: { readonly user: string; readonly mfaType: string; readonly anyway?: true | undefined },
  context: CommandContext,
): Promise<Problem | undefined> {
  const user = await context.directory.get("user", input.user);
  const known = user?.body.mfaType;
  if (!user || !known || known === input.mfaType) return undefined;
  const name = user.name ?? user.id;
  const at = await saidAt(user, "mfaType", context);
  const has = known === "none" ? "no MFA" : `the MFA ${known}, not ${input.mfaType}`;
  const problem = `${name} has ${has}, as ${saidBy(at, context)}. Nothing was changed`;
  if (known === "none" && at !== undefined) {
    const same = user.body.status === "disabled" ? "disable" : "enable";
    const next = `Have they set one up since? Use “user ${same} ${user.id}” first: its answer names their MFA.`;
    return { field: "mfaType", problem: `${problem}. ${next}` };
  }
  if (input.anyway) return undefined;
  const other = mfaTypes.find((type) => type === known);
  return {
    problem: `${problem}, and nobody was asked. This may be old: you can have it removed all the same.`,
    buttons: [
      ...(other ? [removal(`Use ${other}`, words, { ...input, mfaType: other })] : []),
      removal("Ask anyway", words, { ...input, anyway: true }),
    ],
  };
}

const removal = (label: string, words: string, input: CommandButton["input"]): CommandButton => ({
  ...{ label, words, opens: "result", input },
});

/** When the service last said this of a user, in epoch ms; undefined where only the config file or an import says it. */
export async function saidAt(
  { id, body }: Entity<"user">,
  fact: "status" | "mfaType",
  { changesAbout }: Pick<CommandContext, "changesAbout">,
): Promise<number | undefined> {
  for (const { at, answer } of (await changesAbout?.("user", id)) ?? []) {
    const said = User.safeParse(answer).data?.[fact];
    if (said) return said === body[fact] ? at : undefined;
  }
  return undefined;
}

/** Who says what is known of a user, and when. */
export const saidBy = (at: number | undefined, { actor }: Pick<CommandContext, "actor">): string =>
  at === undefined
    ? "the config file or an import says"
    : `the service said on ${formatMoment(Math.floor(at / 60_000) * 60_000, actor.timeZone)}`;
