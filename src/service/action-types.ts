import { splitId } from "./account-ids.ts";
import type { Action, ResourceType } from "./resources.ts";

interface Names {
  /** As people say it. */
  readonly label: string;
  /** After the cloud and the verb in the type of an action: `amazon-start-ec2-instances`. */
  readonly inActions: string;
}

/** The interface shows one type of action (API.md, "Action"). The others are expected to have its form. */
const names: Readonly<Record<ResourceType, Names>> = {
  "amazon-ec2-instance": { label: "EC2", inActions: "ec2-instances" },
  "amazon-ebs-volume": { label: "EBS", inActions: "ebs-volumes" },
  "amazon-rds-instance": { label: "RDS", inActions: "rds-instances" },
  "amazon-rds-cluster": { label: "RDS cluster", inActions: "rds-clusters" },
  "amazon-documentdb-cluster": { label: "DocumentDB", inActions: "documentdb-clusters" },
  "amazon-lightsail-instance": { label: "Lightsail", inActions: "lightsail-instances" },
  "amazon-fsx-filesystem": { label: "FSx", inActions: "fsx-filesystems" },
  "amazon-appstream-fleet": { label: "AppStream", inActions: "appstream-fleets" },
  "amazon-redshift-cluster": { label: "Redshift", inActions: "redshift-clusters" },
  "azure-virtual-machine": { label: "Azure VM", inActions: "virtual-machines" },
  "google-vm-instance": { label: "Google VM", inActions: "vm-instances" },
  "google-cloudsql-instance": { label: "Cloud SQL", inActions: "cloudsql-instances" },
};
const rows = Object.entries(names).map(([type, row]) => ({ type, cloud: cloudOf(type), ...row }));
const clouds = new Set(rows.map(({ cloud }) => cloud));

/** "EC2"; a type that this version does not know stays as it is. */
export function resourceTypeLabel(type: string): string {
  return rows.find((row) => row.type === type)?.label ?? type;
}

/** Whether an action acts on resources of this type; undefined when its own type does not show it. */
export function actsOn({ actionType }: Pick<Action, "actionType">, resourceType: string): boolean | undefined {
  const given = actionType?.toLowerCase() ?? "";
  const cloud = cloudOf(given);
  const named = rows.find((row) => row.cloud === cloud && `${given}-`.includes(`-${row.inActions}-`));
  if (named) return named.type === resourceType;
  return clouds.has(cloud) && cloud !== cloudOf(resourceType) ? false : undefined;
}

/** Whether an action starts, stops or backs up its resources; undefined when it has no type. */
export function isFor(
  process: "start" | "stop" | "backup",
  { actionType }: Pick<Action, "actionType">,
): boolean | undefined {
  if (!actionType) return undefined;
  const words = wordsOf.get(actionType) ?? new Set(actionType.toLowerCase().split("-"));
  if (wordsOf.size < mostTypes) wordsOf.set(actionType, words);
  return words.has(process);
}

/** Thousands of actions have a few types, and are asked again and again. */
const wordsOf = new Map<string, ReadonlySet<string>>();
const mostTypes = 1000;

/** Resources of one type in one project, with the actions that act on them: ids, names or tags, the latter two in any case. */
export interface ActedOn {
  readonly type: string;
  readonly project: string;
  readonly actions?: readonly string[] | undefined;
}

/** Those of the listed actions that are named. A tag may also mark actions of other projects and types, which do not count. */
export function actionsNamed({ type, project, actions = [] }: ActedOn, listed: readonly Action[]): readonly Action[] {
  if (actions.length === 0) return [];
  return listed.filter(
    (action) =>
      action.projectId === project &&
      actsOn(action, type) !== false &&
      // Its id may be without the account, which the project says.
      actions.some((reference) => isMeantBy(reference, action) || reference === splitId(action.actionId)[1]),
  );
}

export function isMeantBy(reference: string, { actionId, name, tags }: Action): boolean {
  const wanted = reference.toLowerCase();
  return (
    reference === actionId || name?.toLowerCase() === wanted || (tags ?? []).some((tag) => tag.toLowerCase() === wanted)
  );
}

function cloudOf(type: string): string {
  return type.split("-", 1)[0] ?? "";
}
