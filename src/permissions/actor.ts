/** The Slack person behind a request. */
export interface Actor {
  readonly teamId: string;
  readonly userId: string;
  readonly name: string;
  readonly email?: string;
  readonly timeZone: string;
  readonly membership: "member" | "guest" | "bot" | "deleted" | "external";
  /** The user groups that could be read. A group that could not is absent, so it gives nobody its roles. */
  readonly groupIds: readonly string[];
}

/** Whether a member of a role is a Slack user group, not a person (PLATFORM.md §10). */
export const isGroupId = (id: string): boolean => id.startsWith("S");
