import type { Denied, Invalid } from "../authorize/decide-change.ts";
import type { Change } from "../change.ts";

export type CheckOutcome =
  | { readonly kind: "refused"; readonly decision: Denied }
  | Invalid
  /** It is known now. `isNew`: since this request. */
  | { readonly kind: "known"; readonly change: Change; readonly isNew: boolean }
  | { readonly kind: "still-unknown"; readonly change: Change; readonly why: string };
