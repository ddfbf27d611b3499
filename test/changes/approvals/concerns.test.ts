import { expect, test } from "vitest";
import { concernsAbout } from "../../../src/changes/approvals/concerns.ts";
import type { ServiceChange } from "../../../src/changes/change.ts";
import { anActor } from "../../permissions/build.ts";
import { aWaiting, noon } from "../build.ts";

const before = { userId: "u-1", username: "dave", emailAddress: "dave@example.com" };
const user = { words: "user email", operation: "ModifyUser", subjectKind: "user", subjectId: "u-1", before } as const;

const concernsOf = (facts: Partial<ServiceChange>) =>
  concernsAbout(
    aWaiting({ ...user, request: { id: "u-1", emailAddress: "Alice@example.com" }, ...facts }),
    {
      store: { list: async ({ actorId }) => (actorId === undefined ? [] : [aWaiting()]) },
      actor: async (userId) => anActor({ userId, email: "alice@example.com" }),
      withEmail: async (email) => anActor({ userId: "U04DAVE", email }),
    },
    noon,
  );

test("approvers read that the new address is the requester's", async () => {
  expect(await concernsOf({})).toEqual([["The new address is that of ", { person: "U01ALICE" }, ", the requester."]]);
});

test("approvers read nothing where nothing is unusual, or nothing waits", async () => {
  expect(await concernsOf({ request: { id: "u-1", emailAddress: "dave@example.net" } })).toEqual([]);
  expect(await concernsOf({ state: "denied" })).toEqual([]);
});
