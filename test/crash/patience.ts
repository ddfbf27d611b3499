/** How long anything may take on a instance that has much else to do; Slack's three seconds to acknowledge are tested elsewhere. */
export const waitMs = 60_000;
