import type { OwnWarningStore } from "../../src/changes/queries/own-warnings.ts";

/** A store in which nobody wants a warning for themselves. */
export const noOwnWarnings: OwnWarningStore = {
  ownWarnings: async () => [],
  saveOwnWarning: async () => undefined,
  removeOwnWarning: async () => false,
};
