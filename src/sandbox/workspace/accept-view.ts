import { isJsonObject, type JsonObject, stringAt } from "./json-object.ts";
import type { WorkspaceState } from "./state/workspace-state.ts";
import { fillViewDefaults } from "./validate/normalize-blocks.ts";
import { isViewTooLarge, validateView } from "./validate/validate-view.ts";

export interface AcceptedView {
  readonly definition: JsonObject;
}

export interface RefusedView {
  readonly refusal: "invalid_arguments" | "duplicate_external_id" | "view_too_large";
  readonly messages: readonly string[];
}

export interface ViewPlace {
  readonly type: "modal" | "home";
  /** The view it replaces, which may keep its `external_id`. */
  readonly replacedId: string | null;
}

/** The checks shared by `views.*` and a `response_action` with a view (PLATFORM.md §7.1). */
export function acceptView(view: unknown, place: ViewPlace, workspace: WorkspaceState): AcceptedView | RefusedView {
  if (!isJsonObject(view)) return refuse("invalid_arguments", "must provide an object [json-pointer:/view]");
  if (isViewTooLarge(view)) return refuse("view_too_large");
  if (view.type === "modal" || view.type === "home") {
    if (view.type !== place.type) return refuse("invalid_arguments", `${wrongType} [json-pointer:/view/type]`);
  }
  const problems = validateView(view);
  if (problems.length > 0)
    return refuse("invalid_arguments", "failed to match all allowed schemas [json-pointer:/view]", ...problems);
  const externalId = stringAt(view.external_id) ?? "";
  const existing = externalId === "" ? undefined : workspace.views.withExternalId(externalId);
  if (existing !== undefined && existing.id !== place.replacedId) return refuse("duplicate_external_id");
  return { definition: fillViewDefaults(view, workspace.ids.block) };
}

const wrongType = "must match the `type` of the root view whose stack we're pushing onto";

function refuse(refusal: RefusedView["refusal"], ...messages: readonly string[]): RefusedView {
  return { refusal, messages };
}
