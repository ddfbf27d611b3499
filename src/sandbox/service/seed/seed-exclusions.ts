import { addHours, subHours } from "date-fns";
import type { ActionExclusion } from "../account.ts";

/** One in force, one expired, one disabled. */
export function seedExclusions(nowMs: number): ActionExclusion[] {
  const exclusion = (number: number, name: string, resourceIds: string[], fromHours: number, toHours: number) => {
    const startDate = addHours(nowMs, fromHours).toISOString();
    return {
      actionExclusionId: `aex-0000000${number}`,
      projectId: "p-dev",
      name,
      isEnabled: true,
      createdDate: startDate,
      lastModifiedDate: startDate,
      lastModifiedBy: "u-00000004",
      startDate,
      expiryDate: addHours(nowMs, toHours).toISOString(),
      timeZoneId: "UTC",
      processes: ["stop-resource"],
      resourceType: "amazon-ec2-instance",
      resourceIdentificationMethod: "by-resource-id",
      resourceIds,
    };
  };
  return [
    exclusion(1, "Load test on the build machines", ["i-0b4d1c9e7f2a63508"], -20, 28),
    exclusion(2, "Release weekend", ["i-0c93e1a7b5d84f216"], -240, -190),
    {
      ...exclusion(3, "Demo machine for the fair", ["demo-eu-1"], -70, 170),
      isEnabled: false,
      lastModifiedDate: subHours(nowMs, 12).toISOString(),
      processes: ["start-resource", "stop-resource"],
      resourceType: "google-vm-instance",
    },
  ];
}
