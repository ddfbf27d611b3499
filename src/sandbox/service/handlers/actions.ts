import type { Account, Action } from "../account.ts";
import type { Handler, HandlerAnswer } from "../handler.ts";
import { nextExecutionDate } from "../next-execution-date.ts";
import { notFound } from "../refusal.ts";

/** By action id the latest version, by action version id that version (spec.md, "GetAction"). */
export const getAction: Handler<"GetAction"> = ({ id, include = [] }, { account, now }) => {
  const action = account.actions.get(id) ?? actionVersion(account, id);
  if (action === undefined) throw notFound("Action", id);
  const extras = Object.fromEntries(include.map((name) => [name, action[name]]));
  return { ...shown(action, now()), ...extras };
};

export const listActions: Handler<"ListActions"> = (_, { account, now }) =>
  [...account.actions.values()].map((action) => shown(action, now()));

function actionVersion({ actions, earlierActionVersions }: Account, versionId: string): Action | undefined {
  const earlier = earlierActionVersions.get(versionId);
  return earlier ?? [...actions.values()].find((action) => action.actionVersionId === versionId);
}

/** Only the enabled, current version of an action has a next run. */
function shown(action: Action, nowMs: number): HandlerAnswer<"GetAction"> {
  const { displayData: _, lastExecution: __, parameters: ___, ...fields } = action;
  const runs = action.isEnabled && action.isCurrentVersion;
  return { ...fields, nextExecutionDate: runs ? nextExecutionDate(action.schedule, nowMs) : null };
}
