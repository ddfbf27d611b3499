/** The contents of the bench's workspace. */
export const botToken = "xoxb-bench";
export const signingSecret = "bench-signing-secret";
export const teamId = "T0BENCH";
export const groupId = "S0ENGINEERS";
export const userIds: readonly string[] = Array.from({ length: 50 }, (_, index) => `U0BENCH${index}`);

/** How a job's result became visible: as the answer to its requester, or as a posted message. */
export type SeenAs = "answer" | "post";

/** Permissions by user group, a limit on lengths, and announcements. */
export function curfewConfig(announceIn: readonly string[] = ["C0OPS"]): string {
  return `
permissions:
  roles:
    engineer:
      members: [${groupId}]
      allow: ["*"]
      where: { channels: [C0OPS], projects: [p-dev], maxExclusion: 24h }
    admin: { members: [U03CAROL], allow: ["*"] }
announce: [${announceIn.map((channel) => `{ operations: ["*"], channel: ${channel} }`).join(", ")}]
limits: { perPersonPerMinute: 0 }
directory:
  projects: [{ id: p-dev, name: Development }]
  users: [{ id: u-00000001, name: bob, email: bob@example.com, mfaType: google-auth }]
  policies: [{ id: mp-00000001, name: Read only }]
`;
}

/** The text of a job. Its number appears in everything that is sent for it. */
export function resourceOf(job: number): string {
  return `i-${job.toString(16).padStart(17, "0")}`;
}

/** The job that a request belongs to; undefined for a request without one. */
export function jobIn(text: string): number | undefined {
  const found = /i-([0-9a-f]{17})/.exec(text)?.[1];
  return found === undefined ? undefined : Number.parseInt(found, 16);
}
