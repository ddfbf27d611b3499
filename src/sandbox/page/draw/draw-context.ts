import type { Viewer } from "../../workspace/render/viewer.ts";
import type { StateValues } from "../../workspace/validate/state-values.ts";
import type { DrawnOption } from "../wire.ts";

/** The context for drawing a surface: viewer, state and errors. */
export interface DrawContext {
  readonly viewer: Viewer;
  /** The author's name of a message. */
  readonly authorOf: (userId: string) => string;
  readonly state: StateValues;
  /** By block id. */
  readonly errors: Readonly<Record<string, string>>;
  /** The options of people and conversation pickers for this viewer. */
  readonly people: readonly DrawnOption[];
  readonly channels: readonly (DrawnOption & { readonly kind: "public" | "private" })[];
}
