import { describe, expect, it } from "vitest";
import { askFor, press, usersNeedAnAdmin } from "../support/approval-journey.ts";
import { ask, isOfOwnAccount, openForm, send, textOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { type Curfew, startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

/** With a second admin, since disabling the only one takes a confirmation. */
const { curfew } = oneBot({ config: unlimitedConfig.replace("[U03CAROL]", "[U03CAROL, U04DAVE]") });

/** The direct messages about this person's own account, once no work is pending. */
async function accountMessages(bot: Curfew, who: string): Promise<readonly string[]> {
  await bot.app.idle();
  return bot.workspace.as(who).messages("dm").filter(isOfOwnAccount).map(textOf);
}

describe("the account owner", () => {
  it("gets a direct message when their MFA is removed, and reads of an attack once their address is changed too", async () => {
    const before = (await accountMessages(curfew(), "alice")).length;
    const others = (await accountMessages(curfew(), "bob")).length;
    await openForm(curfew(), "bob", "user remove-mfa alice@example.com google-auth");
    await send(curfew(), "bob");
    // An account that had two addresses of one person tells them once for each.
    const [text, ...more] = new Set((await accountMessages(curfew(), "alice")).slice(before));
    expect(more).toEqual([]);
    expect(text).toContain("<@U02BOB> removed your MFA.");
    expect(text).toContain("google-auth → none");
    expect(text).toContain("Not expected? Ask <@U02BOB>.");
    expect(text).not.toContain("attacking");
    expect(await accountMessages(curfew(), "bob")).toHaveLength(others);
    // They are found at their address with a plus.
    const known = (await accountMessages(curfew(), "alice")).length;
    await ask(curfew(), "bob", "user email alice@example.com alice+cloud@example.com");
    await ask(curfew(), "bob", "user disable alice+cloud@example.com");
    const texts = (await accountMessages(curfew(), "alice")).slice(known);
    expect(texts.find((text) => text.includes("changed"))).toContain("Somebody may be attacking your account");
    expect(texts.some((text) => text.includes("disabled your account"))).toBe(true);
    await ask(curfew(), "bob", "user enable alice+cloud@example.com");
    await ask(curfew(), "bob", "user email alice+cloud@example.com alice@example.com");
  });

  it("gets a message about a new status, but none when the status was already set", async () => {
    await ask(curfew(), "bob", "user enable carol@example.com");
    const before = (await accountMessages(curfew(), "carol")).length;
    await ask(curfew(), "bob", "user disable carol@example.com");
    await ask(curfew(), "bob", "user disable carol@example.com");
    const received = (await accountMessages(curfew(), "carol")).slice(before);
    expect(received).toHaveLength(1);
    expect(received[0]).toContain("disabled your account");
    await ask(curfew(), "bob", "user enable carol@example.com");
  });

  it("is found by their old address, and skipped when nobody has it", async () => {
    await ask(curfew(), "bob", "user email dave@example.com dave@example.net");
    const [text] = await accountMessages(curfew(), "dave");
    expect(text).toContain("dave@example.com → dave@example.net");
    expect(text).not.toContain("attacking");
    // The service now has an address that nobody in Slack has. Only the debug log says so.
    const again = await ask(curfew(), "bob", "user email dave@example.net dave@example.org");
    expect(again.text).toContain("You changed the e-mail address of dave");
    await curfew().app.idle();
    const lines = curfew().logged.map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ level: 20, error: "users_not_found" }));
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it("gets no message about failed or unknown changes", async () => {
    const before = await accountMessages(curfew(), "carol");
    curfew().service.faults.next({ kind: "status", operation: "ModifyUser", status: 400 });
    await ask(curfew(), "bob", "user disable carol@example.com");
    curfew().service.faults.next({ kind: "reset-after", operation: "RemoveUserMfa" });
    await openForm(curfew(), "bob", "user remove-mfa carol@example.com mobile-otp");
    expect((await send(curfew(), "bob")).text).toContain("Curfew does not know whether");
    expect(await accountMessages(curfew(), "carol")).toEqual(before);
  });

  it("gets no message about their own changes", async () => {
    await ask(curfew(), "bob", "user email bob@example.com bob@example.net");
    expect(await accountMessages(curfew(), "bob")).toEqual([]);
  });
});

it("an account owner gets a message when a change is asked for, and another when it is made", async () => {
  const bot = await startCurfew({ config: usersNeedAnAdmin });
  try {
    const { card } = await askFor(bot, "bob", "user disable dave@example.com");
    const [asked, ...none] = await accountMessages(bot, "dave");
    expect(asked).toContain("<@U02BOB> wants to disable your account.");
    expect(none).toEqual([]);
    await press(bot, "carol", "Approve", card);
    const [was, made] = await accountMessages(bot, "dave");
    expect(was).toContain("Approved and done.");
    expect(made).toContain("<@U02BOB> disabled your account.");
    const [first, reply] = bot.workspace.as("dave").messages("dm").slice(-2);
    expect(reply?.threadTs, "under what was asked for").toBe(first?.ts);
  } finally {
    await bot.stop();
  }
});
