import { listItem } from "../action.ts";
import { type Answer, type Item, isProblem, type Problem } from "../answer.ts";
import { defineQuery, type QueryContext } from "../command.ts";
import { text } from "../field.ts";
import { resolveThing, type Thing } from "../thing.ts";
import { comingRuns, groupsOf, type Run, runsOf } from "./coming-runs.ts";
import { heldRun } from "./holding.ts";
import { keepRunningButton } from "./keep-running.ts";
import { pageField, pageOf } from "./page-of.ts";

const aheadMs = 24 * 3_600_000;

export const next = defineQuery({
  words: "next",
  aliases: [
    "what's next",
    "what is next",
    "what runs next",
    "when does <thing> stop",
    "when does <thing> start",
    "when does <thing> run",
    "when will <thing> stop",
  ],
  title: "What runs next",
  summary: "Show what runs in the next 24 hours, with a button that keeps it running",
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
    page: pageField,
  },
  answer: async ({ thing: said, page = 1 }, context) => {
    const thing = said === undefined ? undefined : await resolveThing(said, context);
    if (thing && isProblem(thing)) return thing;
    const runs = await comingRuns(context);
    if (isProblem(runs)) return runs;
    return nextAnswer(thing, runs, { said, page }, context);
  },
});

async function nextAnswer(
  thing: Thing | undefined,
  all: readonly Run[],
  { said, page }: { readonly said: string | undefined; readonly page: number },
  context: QueryContext,
): Promise<Answer | Problem> {
  const found = thing ? await runsOf(thing, all, context) : { runs: all };
  if (!found)
    return {
      field: "thing",
      problem: `Curfew does not know the project of ${thing?.name}, so it cannot say what runs there next.`,
    };
  const soon = found.runs.filter(({ at }) => at <= context.now + aheadMs);
  const input = said === undefined ? {} : { thing: said };
  const { items, note, buttons } = pageOf(soon, page, { words: "next", input });
  const where = found.dueIn ? `due in ${found.dueIn}` : thing?.name;
  const count = soon.length === 1 ? "1 run" : `${soon.length} runs`;
  const [later] = soon.length === 0 ? found.runs : [];
  return {
    title: [`${count} in the next 24 hours`, where, note?.toLowerCase()].filter(Boolean).join(", "),
    note: found.dueIn ? "Actions do not name their resources, so these may be for others." : undefined,
    items: later ? [await runItem(later, context)] : await Promise.all(items.map((run) => runItem(run, context))),
    count: soon.length,
    buttons,
  };
}

/** A run with its groups, what holds it back, and the button that prevents it. */
export async function runItem(run: Run, context: QueryContext): Promise<Item> {
  const groups = groupsOf(run.action, context);
  const ids = groups.flatMap((name) => context.settings.resourceGroups[name]?.ids ?? []);
  const { by, isPrevented } = await heldRun(run, ids, context);
  const item = listItem(run.action);
  const held = isPrevented ? "Held back by" : "Held back in part by";
  return {
    ...item,
    facts: [
      ...item.facts,
      ...(groups.length > 0 ? [{ label: "Group", value: { list: groups } }] : []),
      ...(by.length > 0 ? [{ label: held, value: { list: by } }] : []),
    ],
    buttons: isPrevented ? [] : keepRunningButton(run, context),
  };
}
