import type { Denied } from "../../changes/authorize/decide-change.ts";
import type { CommandButton } from "../../commands/answer.ts";
import { type Command, plannedStart } from "../../commands/command.ts";
import { exclusionCreate } from "../../commands/exclusion/exclusion.ts";
import { useLongest } from "../../commands/exclusion/exclusion-body.ts";
import { exclusionExtend, extendTo } from "../../commands/exclusion/exclusion-extend.ts";
import type { Input } from "../../commands/field.ts";
import { isGroupId } from "../../permissions/actor.ts";
import { lengthWords } from "../../permissions/held-time.ts";
import type { RequestContext } from "./request-context.ts";

/** The next steps of a refusal: the same within one's limit, and asking others to allow it as it is. */
export async function refusalButtons(
  denied: Denied,
  command: Command,
  input: Input,
  context: Pick<RequestContext, "now" | "nameOf">,
): Promise<readonly CommandButton[]> {
  const { mayAsk, askedMs } = denied;
  const instead = withinLimits(denied, command, input, context.now);
  if (!mayAsk) return instead;
  const what = askedMs ? lengthWords(askedMs) : "it";
  const label = `Ask ${await nameOfThose(mayAsk, context)} to allow ${what}`;
  return [...instead, { label, words: command.words, opens: "result", input, isAsking: true }];
}

/** The same for as long as every limit leaves. */
function withinLimits({ latestEnd }: Denied, { words }: Command, input: Input, now: number): readonly CommandButton[] {
  if (latestEnd === undefined) return [];
  const begin = Math.max(plannedStart(input) ?? 0, now);
  const ms = Math.round((latestEnd - begin) / 60_000) * 60_000;
  if (ms <= 0) return [];
  if (words === exclusionCreate.words) return [useLongest(input, begin, ms)];
  return words === exclusionExtend.words ? [extendTo(input, now + ms, now)] : [];
}

/** The name of a single person, else the roles. */
async function nameOfThose(
  holders: NonNullable<Denied["mayAsk"]>,
  { nameOf }: Pick<RequestContext, "nameOf">,
): Promise<string> {
  const [id, ...others] = new Set(holders.flatMap(({ members }) => members));
  const name = id && others.length === 0 && !isGroupId(id) ? await nameOf(id) : undefined;
  return name ?? holders.map(({ role }) => role).join(" or ");
}
