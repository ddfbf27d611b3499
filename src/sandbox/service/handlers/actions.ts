import type { Account, Action } from "../account.ts";
import { notFound } from "../api-error.ts";
import type { Handler, HandlerAnswer, Handlers } from "../handler.ts";
import { nextExecutionDate } from "../runs-between.ts";

/** An action id gives the latest version, an action version id that version (API.md, "GetAction"). */
const getAction: Handler<"GetAction"> = ({ id, include = [] }, { account, now }) => {
  const action = account.actions.get(id) ?? actionVersion(account, id);
  if (action === undefined) throw notFound("Action", id);
  const extras = Object.fromEntries(include.map((name) => [name, action[name]]));
  return { ...actionAnswer(action, now()), ...extras };
};

const listActions: Handler<"ListActions"> = (_, { account, now }) =>
  [...account.actions.values()].map((action) => actionAnswer(action, now()));

function actionVersion({ actions, earlierActionVersions }: Account, versionId: string): Action | undefined {
  const earlier = earlierActionVersions.get(versionId);
  return earlier ?? [...actions.values()].find((action) => action.actionVersionId === versionId);
}

/** Only the enabled, current version of an action has a next run. */
function actionAnswer(action: Action, nowMs: number): HandlerAnswer<"GetAction"> {
  const { displayData: _, lastExecution: __, parameters: ___, ...fields } = action;
  const runs = action.isEnabled && action.isCurrentVersion;
  return { ...fields, nextExecutionDate: runs ? nextExecutionDate(action.schedule, nowMs) : null };
}

export const actionHandlers = {
  GetAction: getAction,
  ListActions: listActions,
} satisfies Partial<Handlers>;
