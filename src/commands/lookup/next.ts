import { isCommon } from "../../directory/common-words.ts";
import { isFor } from "../../service/action-types.ts";
import { type Answer, isProblem, type Problem } from "../answer.ts";
import { defineQuery, type QueryContext } from "../command.ts";
import { choice, text } from "../field.ts";
import { type Thing, thingsMeant } from "../thing.ts";
import { comingRuns, namedBy, type Run, type RunsOfThing, runsOf } from "./coming-runs.ts";
import { keepRunningButtons } from "./keep-running.ts";
import { listAnswer, pageField } from "./page-of.ts";
import { runLine } from "./run-line.ts";

const aheadMs = 24 * 3_600_000;

export const next = defineQuery({
  words: "next",
  aliases: [
    "what's next",
    "what is next",
    "what runs next",
    "when does <thing> run",
    { phrase: "when does <thing> stop", sets: { verb: "stop" } },
    { phrase: "when will <thing> stop", sets: { verb: "stop" } },
    { phrase: "when does <thing> start", sets: { verb: "start" } },
    { phrase: "when will <thing> start", sets: { verb: "start" } },
  ],
  title: "What runs next",
  summary: "Show what runs in the next 24 hours, and keep it running",
  operation: "ListActions",
  isOnHome: true,
  fields: {
    thing: text({
      label: "Thing",
      hint: "A resource id, a group, a project or an action; everything without it",
      example: "staging",
      maxLength: 200,
      positional: "rest",
      optional: true,
    }),
    verb: choice(
      [
        { value: "stop", label: "Stops" },
        { value: "start", label: "Starts" },
      ],
      { label: "Only", optional: true, hidden: "all" },
    ),
    page: pageField,
  },
  answer: async ({ thing: said, verb, page = 1 }, context) => {
    const things = said === undefined ? undefined : await thingsMeant(said, context);
    if (things && isProblem(things)) return isCommon(said ?? "") ? onlyADay : things;
    const runs = await comingRuns(context);
    if (isProblem(runs)) return runs;
    return nextAnswer(things, runs, { said, verb, page }, context);
  },
});

/** For "next week". */
const onlyADay: Problem = {
  field: "thing",
  problem: "“next” shows what runs in the next 24 hours. Name a thing to see its runs only, such as “next staging”.",
  buttons: [{ label: "Next 24 hours", words: "next", opens: "result", input: {} }],
};

interface Asked {
  readonly said: string | undefined;
  readonly verb: "start" | "stop" | undefined;
  readonly page: number;
}

async function nextAnswer(
  things: readonly Thing[] | undefined,
  all: readonly Run[],
  { said, verb, page }: Asked,
  context: QueryContext,
): Promise<Answer | Problem> {
  const found = things ? await runsOfAny(things, all, context) : { runs: all };
  if (!found)
    return {
      field: "thing",
      problem: `Curfew does not know the project of ${things?.[0]?.name}. So it can't say what runs there next. Name a group or a project.`,
    };
  const wanted = found.runs.filter(({ action }) => verb === undefined || isFor(verb, action) === true);
  const soon = wanted.filter(({ at }) => at <= context.now + aheadMs);
  const [later] = soon.length === 0 ? wanted : [];
  const [thing, ...others] = things ?? [];
  const of = thing && (others.length === 0 ? thing.name : `“${said}”`);
  const ids = found.dueIn === undefined && others.length === 0 ? resourcesOf(thing) : undefined;
  const reading = { ids, offersKeep: true, isNamed: thing !== undefined };
  return listAnswer({
    ...{ all: soon, page, noun: verb ?? "run" },
    command: { words: "next", input: { ...(said === undefined ? {} : { thing: said }), ...(verb ? { verb } : {}) } },
    narrowed: ["in the next 24 hours", found.dueIn ? `due in ${found.dueIn}` : of].filter(Boolean).join(", "),
    note: noteOn(found, context),
    whenEmpty: "“actions” shows all actions.",
    nextWhenEmpty: later ? "The next one comes later." : "“actions” shows all actions.",
    lines: (shown) => Promise.all((later ? [later] : shown).map(({ action }) => runLine(action, context, reading))),
  });
}

function resourcesOf(thing: Thing | undefined): readonly string[] | undefined {
  if (thing?.kind === "exclusion") return namedBy(thing).ids;
  return thing?.kind === "resources" ? thing.ids : undefined;
}

const mayBeOthers = "Actions don't name resources, so these may be for others.";
const unnamed = "“Keep running…” asks for the machines where no group names them.";

function noteOn({ runs, dueIn }: RunsOfThing, context: QueryContext): string | undefined {
  if (dueIn !== undefined) return mayBeOthers;
  const soon = runs.filter(({ at }) => at <= context.now + aheadMs);
  return soon.some((run) => keepRunningButtons(run, context).forms.length > 1) ? unnamed : undefined;
}

/** The runs of things that one text may mean, soonest first. */
async function runsOfAny(
  things: readonly Thing[],
  all: readonly Run[],
  context: QueryContext,
): Promise<RunsOfThing | undefined> {
  const [first, ...others] = await Promise.all(things.map((thing) => runsOf(thing, all, context)));
  if (others.length === 0) return first;
  const wanted = new Set([first, ...others].flatMap((each) => each?.runs ?? []));
  return { runs: all.filter((run) => wanted.has(run)) };
}
