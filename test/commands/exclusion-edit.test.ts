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

test("sends back processes, types and methods that the form cannot show", () => {
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

test("an end rounded up to the minute counts as unchanged, even when past", () => {
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

test("a change of type needs the right for both types", async () => {
  const { target } = exclusionEdit;
  const request = { id: "ae-1", expiryDate: "2026-11-20T16:00:00Z", resourceType: "amazon-ec2-instance" };
  const before = anExclusion({ resourceType: "amazon-rds-instance" });
  expect(await target({ request, before, after: undefined }, noon, aContext().directory)).toMatchObject([
    { projectId: "p-dev", resourceType: "amazon-rds-instance", exclusionLengthMs: 4 * hourMs },
    { projectId: "p-dev", resourceType: "amazon-ec2-instance" },
  ]);
});
