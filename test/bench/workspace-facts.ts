/** What the bench's workspace consists of. */
export const botToken = "xoxb-bench";
export const signingSecret = "bench-signing-secret";
export const teamId = "T0BENCH";
export const groupId = "S0ENGINEERS";
export const userIds: readonly string[] = Array.from({ length: 50 }, (_, index) => `U0BENCH${index}`);

/** How a job's result came into sight: as the answer to its requester, or as a message that was posted. */
export type SeenAs = "answer" | "post";
