import type { JsonObject } from "./json-object.ts";

/** An Enterprise organization that the workspace belongs to (PLATFORM.md §18.4). */
export interface Enterprise {
  readonly id: string;
  readonly name: string;
  /** The app is installed for the whole organization, not for one workspace. */
  readonly isOrgWide?: boolean;
}

export interface SeedPerson {
  readonly id: string;
  /** The name typed after `@`. */
  readonly handle: string;
  readonly realName: string;
  readonly displayName?: string;
  readonly email?: string;
  readonly tz?: string;
  /** The home workspace, when it is another one. */
  readonly teamId?: string;
  /** The workspaces that they are in, of the organization that this one belongs to. */
  readonly teams?: readonly string[];
  readonly isRestricted?: boolean;
  readonly isAdmin?: boolean;
  readonly isBot?: boolean;
  readonly deleted?: boolean;
  /** Lines that work for them in #ops at any hour, without the command's name. */
  readonly tries?: readonly string[];
}

interface SeedChannel {
  readonly id: string;
  readonly name: string;
  /** Handles. */
  readonly members: readonly string[];
  readonly isPrivate?: boolean;
  readonly isShared?: boolean;
  readonly isArchived?: boolean;
  /** Whether the app's bot is a member. */
  readonly hasBot?: boolean;
}

export interface SeedUserGroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  /** Handles. */
  readonly members: readonly string[];
  readonly isDisabled?: boolean;
}

/** A workflow of one step of the app, with a message after it. */
export interface Workflow {
  readonly name: string;
  readonly step: string;
  readonly inputs: JsonObject;
  /** `{{outcome}}` stands for the step's output of that name. */
  readonly message: string;
}

export interface WorkspaceSeed {
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  readonly enterprise?: Enterprise;
  readonly people: readonly SeedPerson[];
  readonly channels: readonly SeedChannel[];
  readonly userGroups: readonly SeedUserGroup[];
  readonly workflows?: readonly Workflow[];
}

const everybody = ["alice", "bob", "carol", "dave", "gina", "erin"];

/** A small company with one of each kind of person that a bot must distinguish. */
export const defaultSeed: WorkspaceSeed = {
  team: { id: "T0CURFEW", name: "Curfew Sandbox", domain: "curfew-sandbox" },
  people: [
    {
      ...person("U01ALICE", "alice", "Alice Engineer", "Europe/Berlin"),
      tries: ["keep staging up for 2h", "why i-0a1", "next"],
    },
    {
      ...person("U02BOB", "bob", "Bob Helpdesk", "America/New_York"),
      tries: ["unlock @alice because lost phone", "find alice", "help"],
    },
    {
      ...person("U03CAROL", "carol", "Carol Admin", "Europe/London"),
      ...{ isAdmin: true, tries: ["status", "offboard @dave", "next"] },
    },
    {
      ...person("U04DAVE", "dave", "Dave Newcomer", "Asia/Kolkata"),
      tries: ["whoami", "mine", "help"],
    },
    { ...person("U05GINA", "gina", "Gina Guest", "Europe/Berlin"), isRestricted: true },
    { id: "U06ERIN", handle: "erin", realName: "Erin Elsewhere", teamId: "T0OTHER" },
    { id: "U07FRED", handle: "fred", realName: "Fred Former", email: "fred@example.com", deleted: true },
    { id: "U08ROBOT", handle: "robot", realName: "Robot", isBot: true },
  ],
  channels: [
    { id: "C0OPS", name: "ops", members: everybody, isShared: true, hasBot: true },
    { id: "C0SEC", name: "security", members: ["bob", "carol"], isPrivate: true, hasBot: true },
    { id: "C0ADMINS", name: "admins", members: ["carol"], isPrivate: true, hasBot: true },
    { id: "C0RANDOM", name: "random", members: everybody },
  ],
  userGroups: [
    { id: "S0ENGINEERS", handle: "engineers", name: "Engineers", members: ["alice"] },
    { id: "S0HELPDESK", handle: "helpdesk", name: "Help desk", members: ["bob"] },
  ],
  workflows: [
    {
      ...{ name: "Release", step: "keep_running", message: "{{outcome}} It ends with the exclusion {{exclusion_id}}." },
      inputs: { resource_ids: "staging", until: "2h", reason: "release" },
    },
  ],
};

function person(id: string, handle: string, realName: string, tz: string): SeedPerson {
  return { id, handle, realName, displayName: handle, email: `${handle}@example.com`, tz };
}
