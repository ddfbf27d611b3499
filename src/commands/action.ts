import { unknownProject } from "../permissions/decide.ts";
import { consoleAddress } from "../permissions/requirements.ts";
import { accountIn, accountOf } from "../service/account-ids.ts";
import { actsOn, resourceTypeLabel } from "../service/action-types.ts";
import { type Action, actionIncludes, resourceTypes } from "../service/resources.ts";
import { indexBy } from "../time/group-by.ts";
import { oncePer } from "../time/once-per.ts";
import {
  type Answer,
  atMoment,
  type CommandButton,
  type Fact,
  factsIn,
  type Line,
  type LinePart,
  type Problem,
  resultButton,
  serviceProblem,
} from "./answer.ts";
import { defineQuery, type QueryContext } from "./command.ts";
import { instant } from "./exclusion/exclusion-body.ts";
import { comingRun } from "./exclusion/next-run.ts";
import { choice, reference, text } from "./field.ts";
import { listAnswer, matching, pageField } from "./lookup/page-of.ts";
import { scheduleFacts } from "./schedule-facts.ts";

const shownData = 15;

export const actionList = defineQuery({
  words: "action list",
  aliases: ["actions", "list actions", "show actions"],
  title: "Actions",
  summary: "Find scheduled actions, soonest run first",
  operation: "ListActions",
  fields: {
    words: text({
      label: "Words",
      hint: "Name, type, project, tags or id",
      maxLength: 200,
      positional: "rest",
      optional: true,
    }),
    page: pageField,
  },
  answer: async ({ words = "", page = 1 }, context) => {
    const found = await readableActions(context);
    if ("problem" in found) return found;
    const { account, rest = words } = accountIn(words, context.settings.accounts) ?? {};
    const there = found.filter(({ action }) => account === undefined || accountOf(action.actionId) === account);
    return listAnswer({
      ...{ all: mentioning(there, rest), page, noun: "action", narrowed: matching(words) },
      command: { words: "action list", input: words ? { words } : {} },
      whenEmpty: "Actions are made in the service's console.",
      lines: (shown) => Promise.all(shown.map(({ action }) => actionLine(action, context, { hasId: true }))),
    });
  },
});

export const actionShow = defineQuery({
  words: "action show",
  title: "Show action",
  summary: "Show an action and when it runs next",
  step: { name: "look_up_action", title: "Look up an action", inputs: ["action"] },
  operation: "GetAction",
  fields: {
    action: reference("action", { label: "Action", hint: "An action id or an action version id", positional: true }),
    include: choice(
      actionIncludes.map((extra) => ({ value: extra, label: extra })),
      { label: "Include", multiple: true, optional: true },
    ),
  },
  answer: async ({ action: id, include }, context) => {
    const result = await context.read("GetAction", { id, ...(include ? { include: [...include] } : {}) });
    if (result.kind !== "succeeded") return serviceProblem(result.error);
    return result.answer ? showAnswer(result.answer, context) : { problem: "The service's answer could not be read." };
  },
});

/** The actions that the requester may see, soonest run first. */
export async function readableActions(
  context: Pick<QueryContext, "read" | "may">,
): Promise<readonly ListedAction[] | Problem> {
  const result = await context.read("ListActions", {});
  if (result.kind !== "succeeded") return serviceProblem(result.error);
  const { all, byProject, ofProjects } = soonestFirst(result.answer ?? []);
  const readable = [...byProject].filter(([id]) => context.may("ListActions", { projectId: id ?? unknownProject }));
  if (readable.length === byProject.size) return all;
  // The same for everybody who may see the same projects, and sorted once.
  const key = JSON.stringify(readable.map(([id]) => id));
  const found =
    ofProjects.get(key) ?? readable.flatMap(([, actions]) => actions).sort((one, other) => one.place - other.place);
  if (ofProjects.size >= mostKept) ofProjects.clear();
  ofProjects.set(key, found);
  return found;
}

/** Of each fetched list. */
const mostKept = 50;

/** The same for the same list, so that what was found out about it is found again. */
export const actionsIn = oncePer((listed: readonly ListedAction[]): readonly Action[] =>
  listed.map(({ action }) => action),
);

export interface MoreOfAction {
  /** What is known of its next run. */
  readonly more?: readonly LinePart[];
  /** Where it acts, if that is known better than by its type. */
  readonly on?: string | undefined;
  /** The head of its menu. */
  readonly first?: readonly CommandButton[];
  /** For a list to look up ids in. */
  readonly hasId?: true;
}

/** An action on one line. */
export async function actionLine(
  action: Action,
  context: Pick<QueryContext, "now" | "directory" | "settings">,
  { more = [], on, first = [], hasId }: MoreOfAction = {},
): Promise<Line> {
  const { actionId: id, isEnabled } = action;
  const at = comingRun(action, context.now);
  return {
    id,
    sign: isEnabled === false ? "off" : at === undefined ? "none" : "run",
    name: action.name || id,
    address: consoleAddress(context.settings, "action", id),
    parts: [
      at === undefined ? "not scheduled" : { at },
      ...more,
      ...(isEnabled === false ? ["switched off"] : []),
      on ?? (await placeWords(action, context)),
      ...(hasId ? [id] : []),
    ].filter((part) => part !== ""),
    menu: [...first, ...actionMenu(id)],
  };
}

export const actionMenu = (id: string): readonly CommandButton[] => [
  resultButton("Details", "action show", { action: id }),
  resultButton("Status", "status", { thing: id }),
  resultButton("Why?", "why", { thing: id }),
];

/** "EC2 in Development". */
export async function placeWords(action: Action, { directory }: Pick<QueryContext, "directory">): Promise<string> {
  const { projectId, actionType } = action;
  const type = resourceTypes.find((each) => actsOn(action, each) === true);
  const project = projectId ? ((await directory.get("project", projectId))?.name ?? projectId) : undefined;
  return [type ? resourceTypeLabel(type) : actionType, project && `in ${project}`].filter(Boolean).join(" ");
}

function showAnswer(action: Action, context: QueryContext): Answer | Problem {
  if (!context.may("GetAction", { projectId: action.projectId ?? unknownProject })) {
    return { problem: "You may not see actions of this project. “whoami” shows what you may do." };
  }
  const { schedule, isEnabled, isCurrentVersion, lastExecution, displayData, parameters } = action;
  const version = isCurrentVersion === true ? " (current)" : isCurrentVersion === false ? " (an earlier version)" : "";
  const facts: readonly Fact[] = [
    { label: "Next run", value: atMoment(comingRun(action, context.now)) ?? "not scheduled" },
    ...scheduleFacts(schedule ?? undefined, context.now, context.actor.timeZone),
    ...factsIn({
      Enabled: isEnabled === false ? "no" : "yes",
      Type: action.actionType,
      Project: action.projectId,
      Tags: action.tags?.length ? { list: action.tags } : undefined,
      Comments: action.comments,
      Action: action.actionId,
      Version: action.actionVersionId && `${action.actionVersionId}${version}`,
    }),
    ...(displayData ?? [])
      .slice(0, shownData)
      .map(({ label, data }) => ({ label: label ?? "Data", value: data ?? "" })),
    ...factsIn({
      "Last run": atMoment(instant(lastExecution?.startDate)),
      "Last outcome": outcomeWords(lastExecution),
      Parameters: parameters && JSON.stringify(parameters),
    }),
  ];
  return { title: action.name ?? action.actionId, items: [{ title: "", facts }] };
}

export const outcomeWords = (run: Action["lastExecution"]): string =>
  [run?.status, run?.result?.code, run?.result?.text].filter(Boolean).join(", ");

export function mentioning(listed: readonly ListedAction[], words: string): readonly ListedAction[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return wanted.length === 0 ? listed : listed.filter(({ text }) => wanted.every((word) => text.includes(word)));
}

export interface ListedAction {
  readonly action: Action;
  /** Its next run, in epoch ms; `never` without one. */
  readonly at: number;
  /** Its index among all actions. */
  readonly place: number;
  /** The text to search, in lower case. */
  readonly text: string;
}

const never = Number.POSITIVE_INFINITY;
interface InOrder {
  readonly all: readonly ListedAction[];
  readonly byProject: ReadonlyMap<Action["projectId"], readonly ListedAction[]>;
  /** By the ids of some projects: those of them all. */
  readonly ofProjects: Map<string, readonly ListedAction[]>;
}

/** Sorted once for each fetched list: it is used many times, and may hold thousands of actions. */
export const soonestFirst = oncePer((actions: readonly Action[]): InOrder => {
  const timed = actions.map((action) => ({ action, at: instant(action.nextExecutionDate) ?? never }));
  timed.sort((one, other) => {
    const [id, otherId] = [one.action.actionId, other.action.actionId];
    return one.at === other.at ? (id < otherId ? -1 : 1) : one.at - other.at;
  });
  const all = timed.map((each, place) => ({ ...each, place, text: textOf(each.action) }));
  // A project that is not known is one of them.
  const byProject = indexBy(all, ({ action }) => [action.projectId]);
  return { all, byProject, ofProjects: new Map() };
});

function textOf({ name, actionType, projectId, actionId, tags }: Action): string {
  return [name, actionType, projectId, actionId, ...(tags ?? [])].join("\n").toLowerCase();
}

export const actionCommands = [actionList, actionShow] as const;
