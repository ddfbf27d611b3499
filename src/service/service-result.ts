import type { ServiceError } from "./service-error.ts";

/** How a call ended, as far as can be known (design.md, "The service client"). */
export type ServiceResult<T> =
  /** Done. No `answer` where spec.md shows no body, or where a change was made but its answer could not be read (`note` says so). */
  | { readonly kind: "succeeded"; readonly answer: T | undefined; readonly note?: string }
  /** Certainly nothing was changed. */
  | { readonly kind: "failed"; readonly error: ServiceError }
  /** It may have happened. */
  | { readonly kind: "unknown"; readonly error: ServiceError };
