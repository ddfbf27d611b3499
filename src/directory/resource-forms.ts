import { type ResourceType, resourceTypes } from "../service/resources.ts";

/** A way to write a resource that identifies it. */
export interface ResourceForm {
  /** Matches anywhere in a text. Its group `id` is the resource's id where that is not the whole match. */
  readonly pattern: RegExp;
  /** Undefined where several types share the form; the pattern's group `type` has precedence. */
  readonly type: ResourceType | undefined;
}

/** A hexadecimal id needs a digit, or "i-face" would be a machine. It must not be part of a longer word. */
const hexId = (prefix: string, notAfter = ""): RegExp =>
  new RegExp(`(?<![a-z0-9-]${notAfter})${prefix}-(?=[a-f]*\\d)[0-9a-f]+(?![a-z0-9-])`, "gi");

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
  { pattern: hexId("i"), type: "amazon-ec2-instance" },
  { pattern: hexId("vol"), type: "amazon-ebs-volume" },
  { pattern: hexId("fs", "|elasticfilesystem:[\\w:-]*file-system/"), type: "amazon-fsx-filesystem" },
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
  { pattern: typeAndName, type: undefined },
];
