import { expect, test } from "vitest";
import { authorize, authorizeNew } from "../../src/changes/authorize.ts";
import { userRemoveMfa } from "../../src/commands/user.ts";
import { admin, anActor, aPolicy, engineer, helpdesk } from "../permissions/build.ts";
import { aContext, someSettings } from "./build.ts";

/** Carol, an admin, wants something that needs this approval. */
function wanted(approval: object) {
  const policy = aPolicy({ engineer, helpdesk, admin }, [{ operations: ["*"], ...approval }]);
  const input = { user: "u-00000001", mfaType: "google-auth" };
  const actor = anActor({ userId: "U03CAROL", groupIds: [] });
  const unneeded = () => Promise.reject(new Error("This is asked of nobody."));
  const ports = { settings: () => ({ ...someSettings(), policy }), read: unneeded, secretFiles: { read: unneeded } };
  return { ports, ask: { command: userRemoveMfa, input, context: aContext({ actor }) } };
}

const kindOf = async (approval: object) => {
  const { ports, ask } = wanted(approval);
  return (await authorizeNew(ports, ask)).kind;
};

test("what nobody beside the requester could approve is not even asked for", async () => {
  const { ports, ask } = wanted({ approvers: ["admin"] });
  const reason = expect.stringContaining("approval of admin, which is held by nobody but who asks");
  expect(await authorizeNew(ports, ask)).toMatchObject({ kind: "refused", decision: { rule: "approvals.0", reason } });
  expect(await kindOf({ approvers: ["admin", "helpdesk"] })).toBe("authorized");
  expect(await kindOf({ approvers: ["admin", "helpdesk"], count: 2 })).toBe("refused");
  // Of a user group it is not known here who is in it.
  expect(await kindOf({ approvers: ["engineer"], count: 2 })).toBe("authorized");
});

test("but what has been approved needs nobody more", async () => {
  const { ports, ask } = wanted({ approvers: ["admin"] });
  expect(await authorize(ports, ask)).toMatchObject({ kind: "authorized" });
});
