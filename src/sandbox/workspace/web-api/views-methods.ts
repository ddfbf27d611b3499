import { acceptView, type RefusedView } from "../accept-view.ts";
import type { JsonObject } from "../json-object.ts";
import { allowances } from "../state/rate-limits.ts";
import type { Trigger } from "../state/triggers.ts";
import { type ViewRecord, viewPayload } from "../state/views.ts";
import type { ApiArguments } from "./api-arguments.ts";
import { type ApiAnswer, type ApiMethod, type ApiWorkspace, fail, failArguments, succeed } from "./api-method.ts";
import { isAnswer } from "./message-content.ts";

const base = { token: "bot", scope: null, limit: allowances.tier4, takesJson: true } as const;
const maxStackDepth = 3;

export const viewsOpen: ApiMethod = {
  ...base,
  run: (args, workspace) => {
    const trigger = exchangeTrigger(args, workspace);
    if (isAnswer(trigger)) return trigger;
    const definition = readView(args, workspace, "modal", null);
    return isAnswer(definition) ? definition : shown(workspace.views.open(trigger.userId, definition), workspace);
  },
};

/** The trigger must come from the open modal (PLATFORM.md §7.3). */
export const viewsPush: ApiMethod = {
  ...base,
  run: (args, workspace) => {
    const trigger = exchangeTrigger(args, workspace);
    if (isAnswer(trigger)) return trigger;
    const stack = workspace.views.stackOf(trigger.userId);
    if (!stack.some((view) => view.id === trigger.viewId)) return fail("not_found");
    if (stack.length >= maxStackDepth) return fail("push_limit_reached");
    const definition = readView(args, workspace, "modal", null);
    return isAnswer(definition) ? definition : shown(workspace.views.push(trigger.userId, definition), workspace);
  },
};

export const viewsUpdate: ApiMethod = {
  ...base,
  run: (args, workspace) => {
    const viewId = args.text("view_id");
    const externalId = args.text("external_id");
    if (viewId === undefined && externalId === undefined) return failArguments("missing required field: view_id");
    const view = viewId === undefined ? workspace.views.withExternalId(externalId ?? "") : workspace.views.get(viewId);
    if (view === undefined) return fail("not_found");
    if (isStale(args, view)) return fail("hash_conflict");
    const definition = readView(args, workspace, view.type, view.id);
    return isAnswer(definition) ? definition : shown(workspace.views.replace(view.id, definition), workspace);
  },
};

/** One Home view per person (PLATFORM.md §18.2). */
export const viewsPublish: ApiMethod = {
  ...base,
  run: (args, workspace) => {
    const user = workspace.people.get(args.text("user_id") ?? "");
    if (user === undefined || user.deleted === true || user.isBot === true) {
      return failArguments("invalid `user_id` [json-pointer:/user_id]");
    }
    if (!workspace.manifest.home.hasHomeTab) return fail("not_enabled");
    const home = workspace.views.homeOf(user.id);
    if (home !== undefined && isStale(args, home)) return fail("hash_conflict");
    const definition = readView(args, workspace, "home", home?.id ?? null);
    return isAnswer(definition) ? definition : shown(workspace.views.publish(user.id, definition), workspace);
  },
};

function exchangeTrigger(args: ApiArguments, workspace: ApiWorkspace): Trigger | ApiAnswer {
  const id = args.text("trigger_id");
  if (id === undefined) return failArguments("missing required field: trigger_id");
  const trigger = workspace.triggers.exchange(id);
  return typeof trigger === "string" ? fail(trigger) : trigger;
}

function readView(
  args: ApiArguments,
  workspace: ApiWorkspace,
  type: ViewRecord["type"],
  replacedId: string | null,
): JsonObject | ApiAnswer {
  if (!args.has("view")) return failArguments("missing required field: view");
  const accepted = acceptView(args.json("view"), { type, replacedId }, workspace);
  return "refusal" in accepted ? refuse(accepted) : accepted.definition;
}

function refuse({ refusal, messages }: RefusedView): ApiAnswer {
  return refusal === "invalid_arguments" ? failArguments(...messages) : fail(refusal);
}

function isStale(args: ApiArguments, view: ViewRecord): boolean {
  const hash = args.text("hash");
  return hash !== undefined && hash !== view.hash;
}

function shown(view: ViewRecord, workspace: ApiWorkspace): ApiAnswer {
  return succeed({ view: viewPayload(view, workspace.app) });
}
