/** Who asks: a person in Slack, a pipeline with a token, or a step of Workflow Builder. */
type ActorKind = "person" | "workflow" | "caller";

/** The Slack person, or the program, behind a request. */
export interface Actor {
  readonly teamId: string;
  /** A Slack id, or that of a program (`programId`). */
  readonly userId: string;
  readonly name: string;
  readonly email?: string;
  readonly timeZone: string;
  readonly membership: "member" | "guest" | "bot" | "deleted" | "external";
  /** The user groups that could be read. A group that could not is absent, so it gives nobody its roles. */
  readonly groupIds: readonly string[];
  /** Who writes to Curfew directly has the rights of these channels too, since they are in them. A change is made in one of them. */
  readonly inChannels?: readonly string[] | undefined;
}

/** Whether a member of a role is a Slack user group, not a person (PLATFORM.md §10). */
export const isGroupId = (id: string): boolean => id.startsWith("S");

type ProgramKind = Exclude<ActorKind, "person">;

/** A program of the config, and the one role that it acts with. */
export interface Program {
  readonly id: string;
  readonly role: string;
}

/** The id of a program: `caller:deploy-bot`. No Slack id has a colon. */
export const programId = (kind: ProgramKind, name: string): string => `${kind}:${name}`;

/** All steps of workflows. Slack does not say who started one. */
export const workflowActorId = programId("workflow", "steps");

/** The kind is part of the id, so a stored change, exclusion or history entry has it too. */
export function actorKind(id: string): ActorKind {
  if (id.startsWith("caller:")) return "caller";
  return id.startsWith("workflow:") ? "workflow" : "person";
}

/** A program has no account: nobody can look it up in Slack, send it a message or mention it, and it approves nothing. */
export const isProgram = (id: string): boolean => actorKind(id) !== "person";

/** What people see instead of a mention: "deploy-bot (pipeline)". */
export function programName(id: string): string {
  return actorKind(id) === "workflow" ? "Workflow Builder" : `${id.slice(id.indexOf(":") + 1)} (pipeline)`;
}

/** The program as an actor of this workspace. Its rights are those of its role, by its id (`Role.programs`). */
export const programActor = (id: string, teamId: string, timeZone: string): Actor => ({
  ...{ teamId, userId: id, name: programName(id), timeZone },
  ...{ membership: "member", groupIds: [] },
});

/** Two accounts with the same e-mail address are one person. Accounts without an address cannot be compared. */
export function isSamePerson(one: Pick<Actor, "userId" | "email">, other: Pick<Actor, "userId" | "email">): boolean {
  return one.userId === other.userId || isSameAddress(one.email, other.email);
}

type Address = string | null | undefined;

/** Whether mail to both reaches one person: `Carol+x@example.com` is `carol@example.com`. False if an address is missing. */
export function isSameAddress(one: Address, other: Address): boolean {
  return one != null && other != null && mailboxOf(one) === mailboxOf(other);
}

/** The address in lower case, without what follows a plus sign before the @. */
export const mailboxOf = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^([^@+]+)\+[^@]*(?=@)/, "$1");
