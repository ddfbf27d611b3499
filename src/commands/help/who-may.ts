import type { Holder } from "../../permissions/policy.ts";
import { operationNames, operations } from "../../service/operations.ts";
import { formatDuration } from "../../time/duration.ts";
import type { Person } from "../about-changes/about-changes.ts";
import { type Answer, isProblem, type Line, type LinePart } from "../answer.ts";
import { defineQuery, type QueryContext } from "../command.ts";
import { length, text } from "../field.ts";
import { personNamed } from "../filter/person-named.ts";
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
    length: length({ label: "How long", hint: "For exclusions", example: "8d", optional: true }),
  },
  answer: async ({ what, length: exclusionLengthMs }, context) => {
    if (/^(?:approve|deny|decide)\b/i.test(what)) return approvalsAnswer(context);
    const words = what.replace(/ for$/i, "").split(/\s+/).filter(Boolean);
    for (let length = Math.min(mostWords, words.length); length > 0; length--) {
      const phrase = words.slice(0, length).join(" ");
      if (!context.whoMay(phrase)) continue;
      const said = words.slice(length).join(" ");
      const thing = said === "" ? undefined : await resolveThing(said, context);
      if (thing && isProblem(thing)) return { ...thing, field: "what" };
      const projectId = thing && (await projectOf(thing, context));
      const facts = { ...(projectId ? { projectId } : {}), ...(exclusionLengthMs ? { exclusionLengthMs } : {}) };
      const found = context.whoMay(phrase, facts);
      if (found) return answerOf(found, { thing, exclusionLengthMs, isExclusion: isExclusion(phrase) }, context);
    }
    return { field: "what", problem: `There is no command “${what}”. “help all” shows those you may use.` };
  },
});

interface Asked {
  readonly thing: Thing | undefined;
  readonly exclusionLengthMs: number | undefined;
  readonly isExclusion: boolean;
}

const isExclusion = (phrase: string): boolean =>
  /^(?:excl|extend|keep|repeat|CreateActionE|ModifyActionE)/i.test(phrase);

/** "You may exclude resources, for web, within limits" */
function answerOf(found: WhoMay, asked: Asked, { settings }: QueryContext): Answer {
  const { act, isForAll, whyNot, limits, approvers } = found;
  const { thing, exclusionLengthMs: ms, isExclusion: holds } = asked;
  const longest = settings.exclusions.maxLengthMs;
  const what = `${act}${thing ? `, for ${thing.name}` : ""}${ms ? ` for ${formatDuration(ms)}` : ""}`;
  const most = `Nobody may hold anything for more than ${formatDuration(longest)}`;
  if (holds && ms && ms > longest) return { title: most, items: [] };
  const how = whyNot
    ? []
    : [...(limits.length > 0 ? ["within limits"] : []), ...withApproval(approvers.map(({ role }) => role))];
  return {
    title: [`${isForAll ? "Everybody may" : whyNot ? "You may not" : "You may"} ${what}`, ...how].join(", "),
    note: [
      "Of those who aren't shown, nobody may.",
      ...(holds ? [`${most}.`] : []),
      ...(approvers.length > 0 ? [notOwn] : []),
      "“whoami” shows your roles.",
    ].join(" "),
    items: linesOf(found),
  };
}

const notOwn = "Nobody approves what they asked for themselves.";

const withApproval = (roles: readonly string[]): readonly string[] =>
  roles.length === 0 ? [] : [`with the approval of ${roles.join(" or ")}`];

const changing = operationNames.filter((name) => operations[name].effect !== "read");

/** What takes an approval, and whose. */
function approvalsAnswer(context: QueryContext): Answer {
  const guarded = changing.flatMap((name) => {
    const found = context.whoMay(name);
    return found && found.approvers.length > 0 ? [{ name, approvers: found.approvers }] : [];
  });
  const title =
    guarded.length === 1 ? "1 kind of change takes an approval" : `${guarded.length} kinds of changes take an approval`;
  return {
    title: guarded.length === 0 ? "Nothing here takes an approval" : title,
    note: `${notOwn} “who may” shows who allows more than your limits.`,
    items: guarded.map(({ name, approvers }) =>
      line(
        name,
        operations[name].summary,
        approvers.flatMap((holder) => [holder.role, ...people(holder)]),
      ),
    ),
  };
}

export const rights = defineQuery({
  words: "rights",
  aliases: ["my rights", "what may <person> do", "what can <person> do"],
  title: "What somebody may do",
  summary: "Show what I may do here, or somebody else",
  operation: null,
  fields: {
    person: text({
      label: "Person",
      hint: "A mention, or the name of somebody who asked for a change; you without it",
      maxLength: 100,
      positional: "rest",
      keepsMentions: true,
      optional: true,
    }),
  },
  answer: async ({ person: said = "me" }, context) => {
    const isMe = /^(?:me|i|my|mine)$/i.test(said);
    if (!isMe && context.roles.length === 0)
      return { problem: "You have no role here, so you can ask about yourself only." };
    const person = isMe ? context.actor : await personNamed(said, context);
    if (!person) return { field: "person", problem: `Curfew knows no “${said}” who asked for a change. Mention them.` };
    return isProblem(person) ? person : rightsOf(person, context);
  },
});

async function rightsOf({ userId, name }: Person, context: QueryContext): Promise<Answer> {
  const decisions = await Promise.all(
    operationNames.map(async (operation) => ({ operation, found: await context.decisionFor(userId, operation) })),
  );
  const may = decisions.filter(({ found }) => found?.isOffered);
  const acts = may.filter(({ operation }) => changing.includes(operation));
  const who = userId === context.actor.userId ? "You" : name;
  const changes = acts.length === 0 ? "change nothing" : `make ${acts.length} of ${changing.length} kinds of changes`;
  return {
    title: may.length === 0 ? `${who} may do nothing here` : `${who} may look things up here, and ${changes}`,
    note: `Roles: ${decisions[0]?.found?.roles.join(", ") || "none"}. “who may exclude” shows who else may do something.`,
    items: acts.map(({ operation, found }) =>
      line(operation, operations[operation].summary, [
        ...(found?.limits ?? []),
        ...withApproval(found?.approval?.approvers ?? []),
        ...(found?.mayAsk ? [`may ask ${found.mayAsk.join(" or ")} for more`] : []),
      ]),
    ),
  };
}

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
