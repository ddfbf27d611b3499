import { expect, it } from "vitest";
import { ask, changesSentTo } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

/** Alice may end what she made herself. */
const { curfew, clock } = oneBot();

it("who makes an exclusion does not come to own another's, whose id the service answers with", async () => {
  const made = await ask(curfew(), "carol", "exclude i-0a5 --type amazon-ec2-instance --project p-dev for 2h");
  const id = made.exclusionId;
  await curfew().app.idle();
  clock.advance(1000);
  const body = JSON.stringify({
    ...{ actionExclusionId: id, projectId: "p-dev", name: "demo", isEnabled: true, resourceIds: ["i-0a1"] },
    ...{ resourceType: "amazon-ec2-instance", resourceIdentificationMethod: "by-resource-id" },
    ...{ processes: ["stop-resource"], expiryDate: new Date(clock.now() + 3_600_000).toISOString() },
  });
  curfew().service.faults.next({
    ...{ kind: "garbage", operation: "CreateActionExclusion", contentType: "application/json", body },
  });
  await ask(curfew(), "alice", "exclude staging for 1h");
  await curfew().app.idle();
  clock.advance(1000);
  const sent = changesSentTo(curfew());
  expect((await ask(curfew(), "alice", `exclusion end ${id}`)).text).toContain("only if you made it through Curfew");
  expect(sent()).toEqual([]);
  expect((await ask(curfew(), "carol", `exclusion end ${id}`)).text).toContain(
    "You stopped keeping i-0a1 (“demo”) running.",
  );
});
