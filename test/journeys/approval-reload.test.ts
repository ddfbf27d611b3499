import { beforeEach, describe, expect, it } from "vitest";
import { askFor, cardSaying, configWith, directMessage, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { ask, buttonsOn, changesSentTo, send } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { reload } from "../support/start-curfew.ts";

const { curfew, clock } = oneBot({ config: usersNeedAnAdmin });
const nobodyDecides =
  "Curfew's rules no longer ask for an approval of this, so nobody decides on it; bob can withdraw it and ask again. Nothing was changed.";

beforeEach(async () => {
  clock.advance(31_000);
  await reload(curfew(), usersNeedAnAdmin);
});

describe("a change whose rule was removed from the config", () => {
  it.each([
    ["nothing that needs approval", configWith().replace("approvals:\n", "")],
    ["only other operations", configWith("{ operations: [ModifyProject], approvers: [admin] }")],
    [
      "a rule whose condition it does not meet",
      configWith("{ operations: [ModifyUser], approvers: [admin], when: { longerThan: 8h } }"),
    ],
  ])("cannot be decided by button or line where there is %s", async (_what, config) => {
    const { card, changeId } = await askFor(curfew());
    const sent = changesSentTo(curfew());
    await reload(curfew(), config);
    const answers = [
      await press(curfew(), "carol", "Approve", card),
      await ask(curfew(), "carol", `approve ${changeId}`),
      await ask(curfew(), "carol", `deny ${changeId} no`),
      await press(curfew(), "carol", "Deny…", card),
    ];
    for (const { text } of answers) expect(text).toContain(nobodyDecides);
    expect((await ask(curfew(), "dave", `approve ${changeId}`)).text).toContain("it takes admin");
    expect(sent()).toEqual([]);
    expect((await ask(curfew(), "bob", `withdraw ${changeId}`)).text).toContain("You withdrew it.");
    expect((await ask(curfew(), "carol", `approve ${changeId}`)).text).toContain(
      "Your approval came too late and had no effect.",
    );
    expect(sent()).toEqual([]);
  });

  it("is offered to its requester but no longer to its approvers", async () => {
    const { changeId } = await askFor(curfew());
    const config = configWith("{ operations: [ModifyProject], approvers: [admin] }");
    // The list shows no ids, but its buttons name the change.
    const offered = async (who: string) => {
      const { message } = await ask(curfew(), who, "approvals");
      return { buttons: buttonsOn(message), shown: JSON.stringify(message.blocks) };
    };
    const before = await offered("carol");
    expect(before.buttons).toEqual(["Approve", "Deny…", "Details"]);
    expect(before.shown).toContain(changeId);
    await reload(curfew(), config);
    expect((await offered("carol")).shown).not.toContain(changeId);
    const own = await offered("bob");
    expect(own.buttons).toEqual(["Withdraw"]);
    expect(own.shown).toContain(changeId);
    await ask(curfew(), "bob", `withdraw ${changeId}`);
  });
});

it("a change can be decided again by line or form when its rule is back", async () => {
  const { card, changeId } = await askFor(curfew());
  await reload(curfew(), configWith().replace("approvals:\n", ""));
  expect((await ask(curfew(), "carol", `approve ${changeId}`)).text).toContain(nobodyDecides);
  await reload(curfew(), usersNeedAnAdmin);
  await curfew().workspace.as("carol").press("Deny…", card);
  await curfew().workspace.waitFor(() => curfew().workspace.as("carol").openView());
  expect((await send(curfew(), "carol", { Reason: "no" })).text).toContain("You denied it.");
});

describe("a change that needs the approval of others by now, or of more", () => {
  const twoAdmins = "{ operations: [ModifyUser], approvers: [admin, deputy], count: 2 }";

  it("is withdrawn with the reason when the config asks for it, and can be asked for again", async () => {
    const { card, changeId } = await askFor(curfew());
    const sent = changesSentTo(curfew());
    await reload(curfew(), configWith(twoAdmins));
    const withdrawn = await cardSaying(curfew(), card, "By now it takes 2 approvals of “admin” or “deputy”.");
    expect(buttonsOn(withdrawn)).toEqual(["Ask again"]);
    await directMessage(curfew(), "bob", "By now it takes 2 approvals of “admin” or “deputy”.");
    expect((await ask(curfew(), "carol", `approve ${changeId}`)).text).toContain("Your approval came too late");
    expect(sent()).toEqual([]);
  });

  it("is withdrawn without “Ask again” where too few people could approve it", async () => {
    const { card } = await askFor(curfew());
    await reload(curfew(), configWith("{ operations: [ModifyUser], approvers: [admin], count: 2 }"));
    const withdrawn = await cardSaying(curfew(), card, "Too few people could give that: ask the people who run Curfew");
    expect(buttonsOn(withdrawn)).toEqual([]);
  });

  it("is withdrawn at the first approval where that was not seen before", async () => {
    const { card } = await askFor(curfew());
    const sent = changesSentTo(curfew());
    await curfew().restart({}, configWith(twoAdmins));
    const { text } = await press(curfew(), "carol", "Approve", card);
    expect(text).toContain("By now it takes 2 approvals of “admin” or “deputy”. So the request was withdrawn.");
    await cardSaying(curfew(), card, "It was withdrawn: nothing was changed.");
    expect(sent()).toEqual([]);
  });
});
