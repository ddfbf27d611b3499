import type { WorkspaceSeed } from "../../src/sandbox/workspace/default-seed.ts";

/** Enough people that each has one request at a time, so every reply belongs to that request. */
export const crew = Array.from({ length: 100 }, (_, index) => {
  const handle = `sailor${String(index + 1).padStart(3, "0")}`;
  return { id: `U${handle.toUpperCase()}`, handle, realName: handle, displayName: handle, tz: "UTC" };
});

const handles = crew.map(({ handle }) => handle);

export const crewSeed: WorkspaceSeed = {
  team: { id: "T0CURFEW", name: "Curfew Sandbox", domain: "curfew-sandbox" },
  people: crew,
  channels: [
    { id: "C0OPS", name: "ops", members: handles, hasBot: true },
    { id: "C0ADMINS", name: "admins", members: handles.slice(0, 1), isPrivate: true, hasBot: true },
  ],
  userGroups: [],
};

export const crewConfig = `
permissions:
  roles:
    crew:
      members: [${crew.map(({ id }) => id).join(", ")}]
      allow: ["*"]
approvals:
  - { operations: [CreateActionExclusion], approvers: [crew], when: { longerThan: 11d }, channel: C0OPS }
announce:
  - { operations: ["*"], channel: C0OPS }
limits: { perPersonPerMinute: 0 }
admins: { channel: C0ADMINS }
resourceGroups:
  staging: { type: amazon-ec2-instance, project: p-dev, ids: [i-0a1, i-0a2] }
directory:
  projects: [{ id: p-dev, name: Development }]
`;
