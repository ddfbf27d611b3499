/** The faults that the panel can switch on. */
export const serviceFaults = ["none", "down", "slow", "lost"] as const;
export const slackFaults = ["none", "down", "limited"] as const;
export type ServiceFault = (typeof serviceFaults)[number];
export type SlackFault = (typeof slackFaults)[number];
