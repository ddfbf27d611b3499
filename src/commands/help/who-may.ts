import type { Holder } from "../../permissions/policy.ts";
import { isProblem, type Line, type LinePart } from "../answer.ts";
import { defineQuery, type QueryContext } from "../command.ts";
import { text } from "../field.ts";
import { placeOf } from "../lookup/coming-runs.ts";
import type { WhoMay } from "../query-ports.ts";
import { resolveThing, type Thing } from "../thing.ts";

const mostWords = 4;

export const whoMay = defineQuery({
  words: "who may",
  title: "Who may do this",
  summary: "Show who may do something, and who must approve it",
  operation: null,
  fields: {
    what: text({
      label: "What",
      hint: "A command or operation, and perhaps a thing",
      example: "exclude staging",
      maxLength: 200,
      positional: "rest",
      keepsMentions: true,
    }),
  },
  answer: async ({ what }, context) => {
    const words = what.split(/\s+/).filter(Boolean);
    for (let length = Math.min(mostWords, words.length); length > 0; length--) {
      const phrase = words.slice(0, length).join(" ");
      if (!context.whoMay(phrase)) continue;
      const said = words.slice(length).join(" ");
      const thing = said === "" ? undefined : await resolveThing(said, context);
      if (thing && isProblem(thing)) return { ...thing, field: "what" };
      const found = context.whoMay(phrase, thing && (await projectOf(thing, context)));
      if (found) return { title: titleOf(found, thing), items: linesOf(found), note };
    }
    return { field: "what", problem: `There is no command “${what}”. “help all” shows those you may use.` };
  },
});

const note = "Of those who aren't shown, nobody may. “whoami” shows your roles.";

const titleOf = ({ act }: WhoMay, thing: Thing | undefined): string =>
  `Who may ${act}${thing ? `, for ${thing.name}` : ""}`;

/** Undefined where it is not known, and for what is in no project. */
async function projectOf(thing: Thing, context: QueryContext): Promise<string | undefined> {
  switch (thing.kind) {
    case "resources":
      return (await placeOf(thing, context)).project;
    case "project":
      return thing.id;
    case "action":
      return thing.action.projectId ?? undefined;
    case "exclusion":
      return thing.exclusion.projectId ?? undefined;
    default:
      return undefined;
  }
}

function linesOf({ isForAll, whyNot, limits, mayAsk, others, approvers }: WhoMay): readonly Line[] {
  if (isForAll) return [line("everybody", "Everybody", ["every full member of this workspace"])];
  const you = whyNot ?? (limits.length > 0 ? "may, within limits" : "may");
  return [
    line("you", "You", [you, ...limits, ...(mayAsk.length > 0 ? [`may ask ${mayAsk.join(" or ")} for more`] : [])]),
    ...others.map((holder) =>
      line(`role ${holder.role}`, holder.role, [...people(holder), ...holder.limits.map((limit) => `only ${limit}`)]),
    ),
    ...approvers.map((holder) => line(`approver ${holder.role}`, `Approval by ${holder.role}`, people(holder))),
  ];
}

const line = (id: string, name: string, parts: readonly LinePart[]): Line => ({
  ...{ id, sign: "none", name, parts, menu: [] },
});

const shownPeople = 10;

function people({ members }: Holder): readonly LinePart[] {
  const more = members.length - shownPeople;
  return [...members.slice(0, shownPeople).map((person) => ({ person })), ...(more > 0 ? [`${more} more`] : [])];
}
