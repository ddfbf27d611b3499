import { beforeEach, describe, expect, it } from "vitest";
import { press } from "../support/approval-journey.ts";
import { ask, cardOf, changesSentTo, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { reload, unlimitedConfig } from "../support/start-curfew.ts";
import { changeJourneys, perform } from "./change-journeys.ts";

/** dave must approve every change and may make none; carol approves the changes to dave's own account. */
const config = `${unlimitedConfig.replace("    admin:\n", "    approver: { members: [U04DAVE, U03CAROL], allow: [reads] }\n    admin:\n")}
approvals:
  - { operations: ["*"], approvers: [approver] }
`;
const { curfew, clock } = oneBot();

describe.each(changeJourneys)("$words", (journey) => {
  const { by, operation, done } = journey;
  const approver = by === "bob" ? "carol" : "dave";
  beforeEach(() => reload(curfew(), unlimitedConfig));

  const asked = async () => {
    const line = await journey.line(curfew());
    await curfew().app.idle();
    await reload(curfew(), config);
    const sent = changesSentTo(curfew());
    const { text, changeId } = await perform(curfew(), journey, line);
    expect(text).toContain("This waits for approval.");
    return { card: await cardOf(curfew(), changeId), changeId, sent };
  };

  it("is performed as requested after approval", async () => {
    const { card, sent } = await asked();
    expect(sent()).toEqual([]);
    expect((await press(curfew(), approver, "Approve", card)).text).toContain("You approved it.");
    await curfew().app.idle();
    expect(sent()).toEqual([operation]);
    const notice = curfew()
      .workspace.as(by)
      .messages("dm")
      .filter(({ isFromApp }) => isFromApp)
      .map(textOf)
      .at(-1);
    expect(notice).toContain(done);
  });

  it("is performed when the service is back", async () => {
    const { card, sent } = await asked();
    await curfew().service.faults.down();
    const approved = await press(curfew(), approver, "Approve", card).finally(() => curfew().service.faults.up());
    expect(approved.text).toContain("the service could not be reached");
    clock.advance(31_000);
    await curfew().app.idle();
    expect(sent()).toEqual([operation]);
  });

  it("can be requested again after a denial from a form that kept every field", async () => {
    const { card, changeId, sent } = await asked();
    await ask(curfew(), "dave", `deny ${changeId} no`);
    await curfew().app.idle();
    await reload(curfew(), unlimitedConfig);
    await curfew().workspace.as(by).press("Ask again", card);
    await curfew().workspace.waitFor(() => curfew().workspace.as(by).openView());
    expect((await send(curfew(), by)).text).toContain(done);
    expect(sent()).toEqual([operation]);
  });
});

describe("a change computed from the service's state", () => {
  it.each([
    ['plan create "Weekend" --project p-dev --start 08:00 --stop 9am --days monday', "CreateManagedServicesPlan"],
    ["selector edit plan-00000001 sel-00000001 --name Renamed", "ModifyManagedServicesSelector"],
    ["credential edit cred-00000001 --name Main", "ModifyCredential"],
  ])("is performed as it was requested: %s", async (line, operation) => {
    await reload(curfew(), config);
    const { changeId } = await ask(curfew(), "carol", line);
    const card = await cardOf(curfew(), changeId);
    const sent = changesSentTo(curfew());
    await curfew().service.faults.down();
    // A cached list of actions would be enough for the plan's time zone.
    clock.advance(11_000);
    await press(curfew(), "dave", "Approve", card).finally(() => curfew().service.faults.up());
    clock.advance(31_000);
    await curfew().app.idle();
    expect(sent()).toEqual([operation]);
  });
});
