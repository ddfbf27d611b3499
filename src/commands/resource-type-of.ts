import type { ResourceType } from "../service/resources.ts";

/** Resource ids whose form belongs to one type alone, as the cloud providers document them; the rest cannot be told apart. */
const forms: readonly (readonly [RegExp, ResourceType])[] = [
  [/^i-[0-9a-f]+$/i, "amazon-ec2-instance"],
  [/^vol-[0-9a-f]+$/i, "amazon-ebs-volume"],
  [/^fs-[0-9a-f]+$/i, "amazon-fsx-filesystem"],
  [/\/providers\/Microsoft\.Compute\/virtualMachines\/[^/]+$/i, "azure-virtual-machine"],
  [/^projects\/[^/]+\/zones\/[^/]+\/instances\/[^/]+$/, "google-vm-instance"],
];

/** The type that all these ids have by their form; undefined when one has no telling form or they differ. */
export function resourceTypeOf(ids: readonly string[]): ResourceType | undefined {
  const types = new Set(ids.map((id) => forms.find(([form]) => form.test(id))?.[1]));
  const [type] = types;
  return types.size === 1 ? type : undefined;
}
