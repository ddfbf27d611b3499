import { resourceKeys } from "../../../directory/resources.ts";
import type { FillContext } from "../../command.ts";
import type { Plan } from "../../query-ports.ts";
import { plansSeen } from "./plans.ts";

/** The plans that were found, and whether the words name all of the resources of none of them or of some only. */
export interface PlansFound {
  readonly plans: readonly Plan[];
  readonly isPart: boolean;
}

/** The plans that the requester may see, by their id or name, their group, or their resources. */
export async function findPlans(
  text: string,
  context: Pick<FillContext, "plans" | "may" | "actor" | "settings">,
): Promise<PlansFound> {
  const wanted = text.trim().toLowerCase().replace(noun, "");
  const plans = await plansSeen(context, undefined, true);
  const named = plans.filter(({ id, input }) => id === wanted || String(input.name ?? "").toLowerCase() === wanted);
  if (named.length > 0) return { plans: named, isPart: false };
  const groups = Object.entries(context.settings.resourceGroups);
  const group = groups.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const keys = (group?.ids ?? wanted.split(/[\s,]+/)).flatMap((id) => resourceKeys(id).slice(-1));
  const hasKey = ({ resourceIds }: Plan) => {
    const own = new Set(resourceIds.flatMap(resourceKeys));
    return (key: string) => own.has(key);
  };
  const whole = plans.filter((plan) => keys.every(hasKey(plan)));
  if (whole.length > 0) return { plans: whole, isPart: false };
  const said = group ? [] : plans.filter(({ reason }) => hasWords(reason ?? "", wanted));
  if (said.length > 0) return { plans: said, isPart: false };
  return { plans: group ? plans.filter((plan) => keys.some(hasKey(plan))) : [], isPart: true };
}

/** "release build" is what “weekly release build” is planned for. */
function hasWords(reason: string, wanted: string): boolean {
  const words = reason.toLowerCase().split(/\W+/);
  const said = wanted.split(/\W+/).filter(Boolean);
  return said.length > 0 && said.every((word) => words.includes(word));
}

/** "the staging series", "the plan for staging". */
const noun =
  /^(?:the )?(?:(?:whole|entire|weekly) )?(?:(?:plan|series|exclusion) (?:for |of )?)?|\s+(?:plan|series|exclusion)$/g;
