import type { Viewer } from "../../workspace/render/viewer.ts";
import type { StateValues } from "../../workspace/validate/state-values.ts";
import type { DrawnOption } from "../wire.ts";

/** A surface being drawn: for whom, and what its elements hold and complain about. */
export interface Drawing {
  readonly viewer: Viewer;
  /** The name over a message. */
  readonly authorOf: (userId: string) => string;
  readonly state: StateValues;
  /** By block id. */
  readonly errors: Readonly<Record<string, string>>;
  /** What pickers of people and conversations offer this viewer. */
  readonly people: readonly DrawnOption[];
  readonly channels: readonly (DrawnOption & { readonly kind: "public" | "private" })[];
}
