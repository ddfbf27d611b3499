import { type ResourceType, resourceTypes } from "../service/resources.ts";

/** A way to write a resource that identifies it. */
export interface ResourceForm {
  /** Matches anywhere in a text. Its group `id` is the resource's id where that is not the whole match. */
  readonly pattern: RegExp;
  /** Its ids are in lower case, whatever a phone makes of them. */
  readonly isLowerCase?: true;
  /** Undefined where several types share the form; the pattern's group `type` has precedence. */
  readonly type: ResourceType | undefined;
}

/** A short hexadecimal id needs a digit, or "i-face" would be a machine. It must not be part of a longer word. */
const hexId = (prefix: string, notAfter = ""): RegExp =>
  new RegExp(`(?<![a-z0-9-]${notAfter})${prefix}-(?=[a-f]*\\d|[a-f]{8})[0-9a-f]+(?![a-z0-9-])`, "gi");

/** The service uses the name at the end of an ARN. */
const arn = (service: string, kind: string, name = "(?<id>[a-z](?:[\\w.-]*[a-z0-9])?)"): RegExp =>
  new RegExp(`(?<![\\w:/.-])arn:aws[a-z-]*:${service}:[\\w-]*:\\d*:${kind}${name}(?![\\w:/-])`, "gi");

/** "amazon-rds-instance: orders", for resources that only have a name. */
const typeAndName = new RegExp(
  `(?<![\\w-])(?<type>${resourceTypes.join("|")})[*_\`]*[ \\t]*:[ \\t]*[*_\`"'“]*(?<id>[a-zA-Z0-9](?:[\\w.-]*[a-zA-Z0-9])?)(?![\\w:/-])`,
  "g",
);

/** As the cloud providers document them. The ARN of a Lightsail instance does not hold its name, so the whole ARN is its id. */
export const resourceForms: readonly ResourceForm[] = [
  { pattern: hexId("i"), isLowerCase: true, type: "amazon-ec2-instance" },
  { pattern: hexId("vol"), isLowerCase: true, type: "amazon-ebs-volume" },
  { pattern: hexId("fs", "|elasticfilesystem:[\\w:-]*file-system/"), isLowerCase: true, type: "amazon-fsx-filesystem" },
  { pattern: arn("rds", "db:"), type: "amazon-rds-instance" },
  // The ARNs of DocumentDB clusters name RDS as well.
  { pattern: arn("rds", "cluster:"), type: undefined },
  { pattern: arn("redshift", "cluster:"), type: "amazon-redshift-cluster" },
  { pattern: arn("appstream", "fleet/"), type: "amazon-appstream-fleet" },
  { pattern: arn("lightsail", "Instance/", "[\\w-]+"), type: "amazon-lightsail-instance" },
  {
    pattern:
      /\/subscriptions\/[^/\s]+\/resourceGroups\/[^/\s]+\/providers\/Microsoft\.Compute\/virtualMachines\/[\w.-]*[a-z0-9]/gi,
    type: "azure-virtual-machine",
  },
  {
    pattern: /(?<![\w-])projects\/[^/\s]+\/zones\/[a-z0-9-]+\/instances\/[a-z0-9-]*[a-z0-9]/g,
    type: "google-vm-instance",
  },
  {
    pattern:
      /(?<![\w:/.-])(?:[a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]:[a-z]+-[a-z]+\d{1,2}:[a-z](?:[a-z0-9-]*[a-z0-9])?(?![\w:/-])/g,
    type: "google-cloudsql-instance",
  },
  // The address of a database in the AWS console.
  { pattern: /#database:id=(?<id>[a-z][\w-]*)(?![\w-]|;is-cluster=true)/gi, type: "amazon-rds-instance" },
  { pattern: /#database:id=(?<id>[a-z][\w-]*);is-cluster=true/gi, type: "amazon-rds-cluster" },
  { pattern: typeAndName, type: undefined },
];

/** The types whose ids have a fixed form. The ids of all other types are names that people chose. */
export const fixedForms: ReadonlyMap<string, { readonly pattern: RegExp; readonly example: string }> = new Map<
  ResourceType,
  { readonly pattern: RegExp; readonly example: string }
>([
  ["amazon-ec2-instance", { pattern: /^i-[0-9a-f]+$/i, example: "i-0f12ab34" }],
  ["amazon-ebs-volume", { pattern: /^vol-[0-9a-f]+$/i, example: "vol-0f12ab34" }],
  ["amazon-fsx-filesystem", { pattern: /^fs-[0-9a-f]+$/i, example: "fs-0f12ab34" }],
]);

/** One resource of a type, for people. */
export const typeWords: Readonly<Record<ResourceType, string>> = {
  "amazon-ec2-instance": "EC2 instance",
  "amazon-ebs-volume": "EBS volume",
  "amazon-rds-instance": "RDS instance",
  "amazon-rds-cluster": "RDS cluster",
  "amazon-documentdb-cluster": "DocumentDB cluster",
  "amazon-lightsail-instance": "Lightsail instance",
  "amazon-fsx-filesystem": "FSx file system",
  "amazon-appstream-fleet": "AppStream fleet",
  "amazon-redshift-cluster": "Redshift cluster",
  "azure-virtual-machine": "Azure VM",
  "google-vm-instance": "Google VM",
  "google-cloudsql-instance": "Cloud SQL instance",
};
