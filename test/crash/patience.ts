/** How long anything may take on a machine that has much else to do; Slack's three seconds to acknowledge are tested elsewhere. */
export const patienceMs = 60_000;
