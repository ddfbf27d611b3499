import { isProgram } from "../permissions/actor.ts";
import { formatDuration } from "../time/duration.ts";
import { merged } from "../time/intervals.ts";
import { type CommandButton, type Line, type Problem, resultButton } from "./answer.ts";
import { defineQuery, type QueryContext } from "./command.ts";
import { length, span, text } from "./field.ts";
import { maySeeProject } from "./lookup/may-see.ts";
import { spanWords } from "./lookup/next.ts";
import { nearestNames } from "./thing.ts";

const asks = ["warn me", "notify me", "alert me", "remind me", "inform me", "ping me", "tell me", "let me know"];
const stops = [
  ...["stops", "stop", "goes down", "shuts down", "goes off", "is stopped", "gets stopped", "is shut down", "is down"],
  ...["will stop", "is about to stop", "is going to stop", "will be stopped"],
];

/** "warn me 1h before staging stops", "tell me when staging is about to stop". */
const warnPhrases: readonly string[] = [
  "warn me about",
  "warn me before",
  "warn me when",
  ...["notify me", "alert me", "remind me", "inform me"].flatMap((ask) => [`${ask} about`, `${ask} before`]),
  ...["tell me before", "let me know before", "ping me before"],
  // After those above: "remind me about staging 1h before" has its length behind.
  ...asks.flatMap((ask) => [
    ...["before <group>", "<before> before <group>", "when <group>", "if <group>"].flatMap((about) =>
      stops.map((verb) => `${ask} ${about} ${verb}`),
    ),
    `${ask} <before> before <group>`,
  ]),
];

const ends = ["stop warning me", "stop notifying me", "stop reminding me", "stop alerting me", "stop telling me"];
const nots = ["don't warn me", "dont warn me", "do not warn me", "don't notify me", "don't remind me"];

/** "stop warning me when staging stops", "no more warnings about staging". */
const unwarnPhrases: readonly string[] = [
  ...[...ends, ...nots].flatMap((end) => [
    ...["about", "before"].map((about) => `${end} ${about}`),
    ...["before <group>", "when <group>"].flatMap((about) => stops.map((verb) => `${end} ${about} ${verb}`)),
  ]),
  ...["no more warnings about", "no warnings about", "unwarn me about"],
];

const group = text({
  label: "Group",
  hint: "A resource group",
  example: "staging",
  maxLength: 100,
  positional: true,
});

const usualMs = 30 * 60_000;
const minMs = 60_000;
const maxMs = 24 * 3_600_000;

/** What a person wants for themselves is no change of the service: it takes the right to see the group's actions, and no approval. */
export const warnMe = defineQuery({
  words: "warn me",
  aliases: warnPhrases,
  title: "Warn me",
  summary: "Get a direct message before a group stops",
  operation: "ListActions",
  fields: {
    group,
    before: length({ label: "How long before", hint: "30 minutes, if empty", example: "1h", optional: true }),
    when: span({ label: "Only", hint: "A day or a time of stops; every stop without it", optional: true }),
  },
  answer: async ({ group: said, before: beforeMs = usualMs, when }, context) => {
    if (isProgram(context.actor.userId)) return onlyPeople;
    const [name, found] = groupNamed(said, context) ?? [];
    if (name === undefined || !found) return noSuchGroup(said, beforeMs, context);
    if (!found.actions || found.actions.length === 0) return noActions(name);
    if (beforeMs < minMs || beforeMs > maxMs)
      return {
        field: "before",
        problem: "A warning can come 1m to 24h before. Nothing was changed. Give such a length.",
      };
    const [during = null, ...others] = merged(when?.spans ?? []).filter(({ to }) => to > context.now);
    if (when && (!during || others.length > 0))
      return { field: "when", problem: `“${when.said}” is no single time ahead. Nothing was changed. Name one.` };
    const former = (await context.ownWarnings.list()).find((each) => isSame(each.group, name));
    if (during && former?.during === null) return warnedAlready(name, former.beforeMs, beforeMs);
    await context.ownWarnings.save(name, beforeMs, during);
    const only = during ? `, if that is ${spanWords(during, context)}` : "";
    return {
      title: `You'll get a direct message ${formatDuration(beforeMs)} before ${name} stops${only}`,
      items: [],
      buttons: [stopButton(name), listButton],
    };
  },
});

const stopWarningMe = defineQuery({
  words: "stop warning me",
  aliases: unwarnPhrases,
  title: "Stop warning me",
  summary: "Get no more direct messages before a group stops",
  operation: null,
  fields: { group },
  answer: async ({ group: said }, { ownWarnings }) => {
    const name = (await ownWarnings.list()).find(({ group: each }) => isSame(each, said))?.group ?? said;
    const wasThere = await ownWarnings.remove(name);
    const again: CommandButton = resultButton("Warn me again", "warn me", { group: name });
    return {
      title: wasThere ? `You'll get no more warnings about ${name}` : `You get no warnings about ${name}`,
      items: [],
      buttons: wasThere ? [again, listButton] : [listButton],
    };
  },
});

const warningList = defineQuery({
  words: "warning list",
  aliases: ["warnings", "my warnings", "list warnings", "show warnings"],
  title: "My warnings",
  summary: "Show which groups I'm warned about",
  operation: null,
  fields: {},
  answer: async (_input, context) => {
    const own = await warningLines(context);
    const count = own.length === 1 ? "1 warning" : `${own.length} warnings`;
    return {
      title: own.length === 0 ? "You get no warnings" : `You get ${count}, as direct messages`,
      note: own.length === 0 ? "“warn me about staging” sends one before staging stops." : undefined,
      items: own,
    };
  },
});

/** The warnings that the requester gets, one a line. */
export async function warningLines(context: QueryContext): Promise<readonly Line[]> {
  return (await context.ownWarnings.list()).map(({ group: name, beforeMs, during }) => {
    const isSeen = groupNamed(name, context) !== undefined;
    return {
      ...{ id: name, sign: "run", name },
      parts: [
        `warning ${formatDuration(beforeMs)} before it stops`,
        ...(during ? [`only ${spanWords(during, context)}`] : []),
        ...(isSeen ? [] : ["you can't see this group any more"]),
      ],
      menu: [stopButton(name)],
    };
  });
}

/** One for a time would take the place of that for every stop. */
const warnedAlready = (name: string, formerMs: number, beforeMs: number): Problem => ({
  problem: `You're warned ${formatDuration(formerMs)} before every stop of ${name} already. Nothing was changed.`,
  buttons: [
    resultButton(`Warn me ${formatDuration(beforeMs)} before every stop`, "warn me", { group: name, before: beforeMs }),
    listButton,
  ],
});

const stopButton = (name: string): CommandButton => resultButton("Stop warning me", "stop warning me", { group: name });

const listButton: CommandButton = resultButton("My warnings", "warning list");

function groupNamed(said: string, context: Pick<QueryContext, "settings" | "may">) {
  return Object.entries(context.settings.resourceGroups).find(
    ([name, { project }]) => isSame(name, said) && maySeeProject(context, project),
  );
}

const isSame = (name: string, said: string): boolean => name.toLowerCase() === said.toLowerCase();

/** Only groups say which actions stop them. Offers those that hold the resource, or are called almost so. */
function noSuchGroup(said: string, before: number, context: Pick<QueryContext, "settings" | "may">): Problem {
  const seen = Object.entries(context.settings.resourceGroups).filter(([, each]) =>
    maySeeProject(context, each.project),
  );
  const holding = seen.filter(([, { ids }]) => ids.some((id) => isSame(id, said))).map(([name]) => name);
  const near = nearestNames(
    said,
    seen.map(([name]) => name),
  );
  const meant = (holding.length > 0 ? holding : near).slice(0, 3);
  const where = holding.length > 0 ? ` ${said} is in ${holding.slice(0, 3).join(" and ")}.` : "";
  return {
    field: "group",
    problem: `There is no group ${said} that you may see, and only groups can be warned about.${where} Nothing was changed. “group list” shows the groups.`,
    buttons: meant.map((name) => resultButton(`Warn me about ${name}`, "warn me", { group: name, before })),
  };
}

const onlyPeople: Problem = {
  problem: "Only people get warnings, as direct messages. Nothing was changed. “next” shows what comes up.",
};

/** The service does not say what an action acts on (API.md). */
const noActions = (name: string): Problem => ({
  field: "group",
  problem: `Curfew doesn't know which actions stop ${name}, so it can't warn you. Nothing was changed. Name them with “group save” and “--actions”.`,
});

export const warningCommands = [warnMe, stopWarningMe, warningList] as const;
