import { type ActionExclusion, resourceTypes } from "../../service/resources.ts";
import { shortMoment } from "../../time/format-moment.ts";
import { isChangeId } from "../about-changes/about-changes.ts";
import type { CommandButton, Problem } from "../answer.ts";
import type { FillContext, Inverse } from "../command.ts";
import type { Input } from "../field.ts";
import { expiryOf, instant, keptWords, makerOf, mayAlter, processesOf, verbsFor } from "./exclusion-body.ts";
import { previewEnd } from "./exclusion-preview.ts";
import { groupOf } from "./resource-context.ts";

/** Whose it is, with one button, before a line ends what somebody else made. */
export async function ofSomebodyElse(
  input: Input & { readonly exclusion: string },
  context: FillContext,
): Promise<Problem | undefined> {
  const { directory, actor, settings, now } = context;
  const entity = await directory.get("exclusion", input.exclusion);
  if (!entity) return unknown(input);
  if (entity.endedAt !== null || entity.ownerId === actor.userId) return undefined;
  if (!mayAlter(entity, "DeleteActionExclusion", context)) return undefined;
  const { body, ownerId } = entity;
  const ids = body.resourceIds ?? [];
  const what = groupOf(ids, settings.resourceGroups) ?? keptWords(body);
  const by = await makerOf(entity, context);
  const end = expiryOf(body);
  const until = end === undefined ? "" : ` until ${shortMoment(end, actor.timeZone, now)}`;
  const { doing, how } = verbsFor(body.processes);
  const held = `${by.charAt(0).toUpperCase()}${by.slice(1)} is ${doing} ${what} ${how}${until}.`;
  const { lines } = await previewEnd(entity.id, context);
  const buttons = [endButton(ownerId === null ? what : `${by}'s ${what}`, input)];
  return { problem: [held, ...lines, "Nothing was changed yet."].join(" "), buttons };
}

const unknown = (input: Input & { readonly exclusion: string }): Problem => ({
  problem: isChangeId(input.exclusion)
    ? `${input.exclusion} is a plan, or what came of one. Nothing was changed yet.`
    : `Curfew does not know ${input.exclusion}: it was made elsewhere, or its id is mistyped. Nothing was changed yet.`,
  buttons: [endButton(input.exclusion, input)],
});

const endButton = (what: string, input: Input): CommandButton => ({
  label: `End ${what}`,
  ...{ words: "exclusion end", opens: "result", input, isSure: true },
});

/** The same for the rest of its time; undefined where Curfew could not make it. */
export function madeAgain(
  exclusion: { readonly [K in keyof ActionExclusion]?: ActionExclusion[K] | undefined },
): Inverse | undefined {
  const { name, resourceIds, projectId, processes, resourceIdentificationMethod: method } = exclusion;
  const type = resourceTypes.find((each) => each === exclusion.resourceType);
  const held = processes?.toSorted().join(" ");
  const [process] = Object.entries(processesOf).find(([, each]) => each.join(" ") === held) ?? [];
  const until = instant(exclusion.expiryDate);
  if (method !== "by-resource-id" || !resourceIds?.length || !type || !process || !projectId) return undefined;
  if (until === undefined || exclusion.isEnabled === false) return undefined;
  const rest = { process, until, ...(name ? { name } : {}), another: true };
  return { words: "exclusion create", input: { resourceIds, type, project: projectId, ...rest } };
}
