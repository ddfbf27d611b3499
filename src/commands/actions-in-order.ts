import type { Action } from "../service/resources.ts";
import { instant } from "./exclusion-body.ts";

export interface ListedAction {
  readonly action: Action;
  /** When it runs next, in epoch ms. */
  readonly at: number;
  /** In the order of all. */
  readonly place: number;
  /** What its words are looked for in, in lower case. */
  readonly text: string;
}

export const never = Number.POSITIVE_INFINITY;
interface InOrder {
  readonly all: readonly ListedAction[];
  readonly byProject: ReadonlyMap<Action["projectId"], readonly ListedAction[]>;
}

const inOrder = new WeakMap<readonly Action[], InOrder>();

/** A list is asked for many times before the service is asked for it again; there may be thousands in it, so it is ordered once. */
export function soonestFirst(actions: readonly Action[]): InOrder {
  const directory = inOrder.get(actions);
  if (directory) return directory;
  const timed = actions.map((action) => ({ action, at: instant(action.nextExecutionDate) ?? never }));
  timed.sort((one, other) => {
    const [id, otherId] = [one.action.actionId, other.action.actionId];
    return one.at === other.at ? (id < otherId ? -1 : 1) : one.at - other.at;
  });
  const all = timed.map((each, place) => ({ ...each, place, text: textOf(each.action) }));
  const byProject = new Map<Action["projectId"], ListedAction[]>();
  for (const listed of all) {
    const { projectId } = listed.action;
    const others = byProject.get(projectId);
    if (others) others.push(listed);
    else byProject.set(projectId, [listed]);
  }
  inOrder.set(actions, { all, byProject });
  return { all, byProject };
}

function textOf({ name, actionType, projectId, actionId, tags }: Action): string {
  return [name, actionType, projectId, actionId, ...(tags ?? [])].join("\n").toLowerCase();
}
