import { isJsonObject, type JsonObject, stringAt } from "../json-object.ts";
import type { LiveWorkspace } from "../live-workspace.ts";
import { allowances } from "../state/permits.ts";
import { replaceView, showView, type ViewRecord, viewOf, viewPayload } from "../state/views.ts";
import { fillViewDefaults } from "../validate/state-values.ts";
import { isViewTooLarge, validateView, wrongViewType } from "../validate/validate-view.ts";
import { type ApiArguments, type ApiMethod, fail, failArguments } from "./api.ts";

const base = { limit: allowances.tier4, takesJson: true } as const;

export const viewsMethods: Readonly<Record<string, ApiMethod>> = {
  "views.open": {
    ...base,
    run: (args, workspace) => {
      const id = args.text("trigger_id") ?? failArguments("missing required field: trigger_id");
      const trigger = workspace.triggers.use(id);
      if (typeof trigger === "string") return fail(`${refusals[trigger]}_trigger_id`);
      return shown(showView(workspace, trigger.userId, "modal", readView(args, workspace, "modal", null)), workspace);
    },
  },
  "views.update": {
    ...base,
    run: (args, workspace) => {
      const viewId = args.text("view_id");
      const externalId = args.text("external_id");
      if (viewId === undefined && externalId === undefined) return failArguments("missing required field: view_id");
      const view = viewId === undefined ? withExternalId(workspace, externalId ?? "") : workspace.views.get(viewId);
      if (view === undefined) return fail("not_found");
      rejectStale(args, view);
      return shown(replaceView(workspace, view.id, readView(args, workspace, view.type, view.id)), workspace);
    },
  },
  /** One Home view per person (PLATFORM.md §18.2). */
  "views.publish": {
    ...base,
    run: (args, workspace) => {
      const user = workspace.people.get(args.text("user_id") ?? "");
      if (user === undefined || user.deleted === true || user.isBot === true)
        return failArguments("invalid `user_id` [json-pointer:/user_id]");
      if (!workspace.manifest.home.hasHomeTab) return fail("not_enabled");
      const home = viewOf(workspace, user.id, "home");
      if (home !== undefined) rejectStale(args, home);
      return shown(
        showView(workspace, user.id, "home", readView(args, workspace, "home", home?.id ?? null)),
        workspace,
      );
    },
  },
};

const refusals = { expired: "expired", used: "exchanged", unknown: "invalid" } as const;

function readView(
  args: ApiArguments,
  workspace: LiveWorkspace,
  type: ViewRecord["type"],
  replacedId: string | null,
): JsonObject {
  if (!args.has("view")) return failArguments("missing required field: view");
  return acceptView(args.json("view"), type, replacedId, workspace);
}

/**
 * The checks shared by `views.*` and a `response_action` with a view (PLATFORM.md §7.1). The view that it replaces may keep its
 * `external_id`. Returns the view with Slack's defaults.
 */
export function acceptView(
  view: unknown,
  type: ViewRecord["type"],
  replacedId: string | null,
  workspace: LiveWorkspace,
): JsonObject {
  if (!isJsonObject(view)) return failArguments("must provide an object [json-pointer:/view]");
  if (isViewTooLarge(view)) return fail("view_too_large");
  if ((view.type === "modal" || view.type === "home") && view.type !== type)
    return failArguments(`${wrongViewType} [json-pointer:/view/type]`);
  const problems = validateView(view);
  if (problems.length > 0)
    return failArguments("failed to match all allowed schemas [json-pointer:/view]", ...problems);
  const externalId = stringAt(view.external_id) ?? "";
  const existing = externalId === "" ? undefined : withExternalId(workspace, externalId);
  if (existing !== undefined && existing.id !== replacedId) return fail("duplicate_external_id");
  return fillViewDefaults(view, workspace.ids.block);
}

const withExternalId = ({ views }: LiveWorkspace, id: string): ViewRecord | undefined =>
  views.find(({ definition }) => definition.external_id === id);

function rejectStale(args: ApiArguments, view: ViewRecord): void {
  if (args.has("hash") && args.text("hash") !== view.hash) fail("hash_conflict");
}

const shown = (view: ViewRecord, { app }: LiveWorkspace): JsonObject => ({ view: viewPayload(view, app) });
