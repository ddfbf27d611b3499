import type { KeptGroup, ResourceGroup } from "../directory/resource-group.ts";
import type { Actor } from "../permissions/actor.ts";

export interface SavedGroups {
  find(name: string): Promise<KeptGroup | undefined>;
  /** Whether the config file has this group, even if the requester may not see it. */
  isOfConfig(name: string): boolean;
  save(name: string, group: ResourceGroup): Promise<GroupChanged>;
  remove(name: string): Promise<GroupChanged>;
}

export interface GroupChanged {
  /** The former group of this name. */
  readonly former: KeptGroup | undefined;
  /** The id in the history; undefined when nothing changed. */
  readonly changeId: string | undefined;
}

/** What is known of an exclusion beside what it is. */
export interface ExclusionOrigin {
  readonly reason?: string | undefined;
  /** The Slack user who ended it. */
  readonly endedBy?: string | undefined;
  readonly endReason?: string | undefined;
}

export interface DecisionForOther {
  readonly actor: Actor;
  readonly roles: readonly string[];
  /** For an unknown target. */
  readonly decision:
    | { readonly kind: "allowed"; readonly rule: string }
    | { readonly kind: "denied"; readonly rule: string; readonly reason: string };
  /** The conditions of their roles, in words. */
  readonly limits: readonly string[];
  /** Whether they may do it for some target. */
  readonly isOffered: boolean;
  /** The roles that they may ask to allow what they may not do themselves; undefined where there are none. */
  readonly mayAsk: readonly string[] | undefined;
  /** The approval rule; undefined where it needs no approval. */
  readonly approval: { readonly approvers: readonly string[]; readonly rule: string } | undefined;
}

export interface CommandHelp {
  readonly words: string;
  /** Every phrase that names it on a line. */
  readonly names: readonly string[];
  readonly usage: string;
  /** The shortest useful line. */
  readonly example: string;
  readonly summary: string;
}
