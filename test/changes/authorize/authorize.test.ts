import { expect, test } from "vitest";
import { authorize, authorizeNew } from "../../../src/changes/authorize/authorize.ts";
import { userRemoveMfa } from "../../../src/commands/user.ts";
import { admin, anActor, aPolicy, engineer, helpdesk } from "../../permissions/build.ts";
import { aContext, noon, peopleFrom, quietLog, someSettings } from "../build.ts";

/** A request by Carol, an admin, that needs this approval. */
function requestNeeding(approval: object) {
  const policy = aPolicy({ engineer, helpdesk, admin }, [{ operations: ["*"], ...approval }]);
  const input = { user: "u-00000001", mfaType: "google-auth" };
  const actor = anActor({ userId: "U03CAROL", groupIds: [] });
  const unneeded = () => Promise.reject(new Error("This is asked of nobody."));
  const find = async (userId: string) => anActor({ userId, name: userId, groupIds: [] });
  const context = aContext({ actor });
  const ports = {
    settings: () => ({ ...someSettings(), policy }),
    read: unneeded,
    secretFiles: { read: unneeded },
    ...{ actorOf: find, people: peopleFrom(find), directory: context.directory, now: () => noon, log: quietLog },
    withEmail: async () => undefined,
    store: {
      list: async () => [],
      recentAbout: async () => [],
      exclusionsKeeping: async () => [],
      exclusionsHolding: async () => [],
      openOf: async () => [],
    },
  };
  return { ports, ask: { command: userRemoveMfa, input, context } };
}

const kindOf = async (approval: object) => {
  const { ports, ask } = requestNeeding(approval);
  return (await authorizeNew(ports, ask)).kind;
};

test("refuses a request that nobody but the requester could approve", async () => {
  const { ports, ask } = requestNeeding({ approvers: ["admin"] });
  const reason = expect.stringContaining(
    "approval of “admin”, and nobody could give it. You can't approve what you ask for.",
  );
  expect(await authorizeNew(ports, ask)).toMatchObject({ kind: "refused", decision: { rule: "approvals.0", reason } });
  expect(await kindOf({ approvers: ["admin", "helpdesk"] })).toBe("authorized");
  expect(await kindOf({ approvers: ["admin", "helpdesk"], count: 2 })).toBe("refused");
  // Slack does not say who is in the user group.
  expect(await kindOf({ approvers: ["engineer"], count: 2 })).toBe("authorized");
});

test("accepts an approved change even if nobody else could approve it", async () => {
  const { ports, ask } = requestNeeding({ approvers: ["admin"] });
  expect(await authorize(ports, ask)).toMatchObject({ kind: "authorized" });
});
