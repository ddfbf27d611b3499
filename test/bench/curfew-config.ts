import { groupId } from "./workspace-facts.ts";

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
