import { describe, expect, it } from "vitest";
import {
  askFor,
  buttonsNow,
  cardSaying,
  configWith,
  directMessage,
  press,
  usersNeedAnAdmin,
} from "../support/approval-journey.ts";
import { ask, buttonsOn, cardOf, cardsIn, changesSentTo, nowOf, textOf, threadOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";

const { curfew } = oneBot({ config: usersNeedAnAdmin });
const statusOfDave = () => curfew().service.account.users.get("u-00000004")?.status;

describe("a change that an admin must approve", () => {
  it("waits, and its card asks the approvers with the exact request, the reason and its effect", async () => {
    const sent = changesSentTo(curfew());
    const { text, message, card, changeId } = await askFor(
      curfew(),
      "bob",
      'user disable dave@example.com --reason "left the company"',
    );
    expect(text).toContain("You asked to disable dave. It waits for approval: nothing was changed yet.");
    expect(text).toMatch(/Asked for approval by admin in <#C0OPS>, until <!date\^/);
    expect(buttonsOn(message)).toEqual(["Withdraw"]);
    const shown = textOf(card);
    expect(shown).toContain("<@U02BOB> asked to disable dave. It waits for approval");
    expect(shown).toMatch(/Needs the approval of admin \(<@U03CAROL>\), until <!date\^/);
    expect(shown).toContain('ModifyUser\n{\n "id": "u-00000004",\n "status": "disabled"\n}');
    expect(shown).toContain("Reason: left the company");
    expect(buttonsOn(card)).toEqual(["Approve", "Approve with note…", "Deny…", "Withdraw"]);
    expect(sent()).toEqual([]);
    expect((await ask(curfew(), "bob", `history ${changeId}`)).text).toMatch(/awaiting-approval: <!date/);
  });

  it("is performed once it is approved, and announced on the card it was approved on and where it is announced", async () => {
    const { card, changeId } = await askFor(curfew());
    const sent = changesSentTo(curfew());
    const before = cardsIn(curfew().workspace, "ops").length;
    const { text } = await press(curfew(), "carol", "Approve", card);
    expect(text).toContain("You approved it. bob disabled dave.");
    expect(sent()).toEqual(["ModifyUser"]);
    expect(statusOfDave()).toBe("disabled");
    const settled = await cardSaying(curfew(), card, ":white_check_mark: <@U02BOB> disabled dave");
    expect(textOf(settled)).toMatch(/Approved by <@U03CAROL>, <!date\^/);
    expect(buttonsOn(settled)).toEqual([]);
    expect(cardsIn(curfew().workspace, "ops")).toHaveLength(before);
    expect(textOf(await cardOf(curfew(), changeId, "security"))).toContain("<@U02BOB> disabled dave");
    await curfew().workspace.waitFor(() =>
      threadOf(curfew(), card).some((line) => textOf(line).includes("<@U02BOB> disabled dave")),
    );
    const told = await directMessage(curfew(), "bob", "You disabled dave.", changeId);
    expect(textOf(told)).toMatch(/Approved by <@U03CAROL>/);
  });
});
