import type { ResourceGroup as ConfigGroup } from "../config/settings.ts";

/** A name for resources of one type in one project: from the config file, or saved from Slack. */
export interface ResourceGroup extends ConfigGroup {
  /** From Slack. Operators answer only for those of the config file. */
  readonly isSaved?: true;
}

/** A saved group as this version can read it: the type may be unknown to it, and ids that it cannot read are left out. */
export interface KeptGroup extends Omit<ResourceGroup, "type"> {
  readonly type: string;
}
