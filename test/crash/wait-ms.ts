/** Timeout on a busy machine; Slack's three seconds to acknowledge are tested elsewhere. */
export const waitMs = 60_000;
