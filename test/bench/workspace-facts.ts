/** The contents of the bench's workspace. */
export const botToken = "xoxb-bench";
export const signingSecret = "bench-signing-secret";
export const teamId = "T0BENCH";
export const groupId = "S0ENGINEERS";
export const userIds: readonly string[] = Array.from({ length: 50 }, (_, index) => `U0BENCH${index}`);

/** How a job's result became visible: as the answer to its requester, or as a posted message. */
export type SeenAs = "answer" | "post";
