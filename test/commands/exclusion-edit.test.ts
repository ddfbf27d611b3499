import { expect, test } from "vitest";
import { exclusionEdit } from "../../src/commands/exclusion/exclusion-edit.ts";
import { aContext, anExclusion, hourMs, noon } from "../changes/build.ts";

const input = {
  exclusion: "ae-1",
  name: "keep staging up",
  until: noon + 4 * hourMs,
  enabled: "yes",
  resourceIds: ["i-0a1"],
};

test("processes, types and methods that no field can say are sent back as they are", () => {
  const odd = {
    processes: ["stop-resource", "resize-resource"],
    resourceType: "amazon-neptune-cluster",
    resourceIdentificationMethod: "by-resource-name",
  };
  const before = anExclusion(odd);
  expect(exclusionEdit.request({ ...input, process: "start" }, aContext(), before)).toMatchObject({
    processes: ["start-resource", "resize-resource"],
    resourceType: "amazon-neptune-cluster",
    resourceIdentificationMethod: "by-resource-name",
  });
});

test("an end shown rounded up to the minute has not been moved, even when it is over", () => {
  const expiryDate = "2026-11-20T11:59:12.345Z";
  const shown = Date.parse("2026-11-20T12:00:00.000Z");
  const before = anExclusion({ expiryDate, name: "another name" });
  expect(exclusionEdit.request({ ...input, process: "stop", until: shown }, aContext(), before)).toMatchObject({
    expiryDate,
  });
  expect(exclusionEdit.request({ ...input, process: "stop", until: shown - 60_000 }, aContext(), before)).toMatchObject(
    {
      field: "until",
    },
  );
});

test("what turns one type into another must be allowed for both", async () => {
  const { target } = exclusionEdit;
  const request = { expiryDate: "2026-11-20T16:00:00Z", resourceType: "amazon-ec2-instance" };
  const before = anExclusion({ resourceType: "amazon-rds-instance" });
  expect(await target({ request, before, after: undefined }, noon, aContext().directory)).toMatchObject([
    { projectId: "p-dev", resourceType: "amazon-rds-instance", exclusionLengthMs: 4 * hourMs },
    { projectId: "p-dev", resourceType: "amazon-ec2-instance" },
  ]);
});
