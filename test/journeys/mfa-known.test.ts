import { describe, expect, it } from "vitest";
import { usersNeedAnAdmin } from "../support/approval-journey.ts";
import { ask, buttonsOn, changesSentTo, messagesAfter, openForm, send } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

const config = unlimitedConfig.replace(
  "name: bob, email: bob@example.com, mfaType: google-auth",
  "name: bob, email: bob@example.com",
);
const options = { config, startAt: Date.parse("2027-04-05T08:00:00Z") };

describe("what is known of a user's MFA and status", () => {
  const { curfew } = oneBot(options);
  const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;

  it.each(["does dave have mfa", "Does dave have MFA?", "has dave got mfa", "which mfa does dave have?"])(
    "“%s” is answered, and by whom it is known",
    async (line) => {
      const text = await told("bob", line);
      expect(text).toContain("*dave has no MFA*");
      expect(text).toContain("As the config file or an import says. It may be different now");
    },
  );

  it("is answered with when the service said it", async () => {
    await told("bob", "user enable alice");
    const since = "As the service said on Mon 5 Apr 2027, 04:00 (America/New_York, UTC-04:00)";
    for (const [line, short] of [
      ["is alice enabled", "alice is enabled"],
      ["is alice disabled?", "alice is enabled"],
      ["does alice have mfa", "alice has MFA: google-auth"],
    ] as const) {
      const text = await told("bob", line);
      expect(text).toContain(`*${short}*`);
      expect(text).toContain(since);
    }
    expect(await told("carol", "is bob enabled?")).toContain("*Curfew doesn't know whether bob is enabled*");
    expect(await told("carol", "does bob have mfa")).toContain("*Curfew doesn't know whether bob has MFA*");
  });

  it.each(["users without mfa", "who has no MFA?", "list users with no mfa please"])(
    "“%s” lists them",
    async (line) => {
      const text = await told("bob", line);
      expect(text).toContain("1 known user without MFA");
      expect(text).toMatch(/\*dave\* · .*MFA none · as the config file or an import says/);
      expect(text).toContain("Curfew doesn't know the MFA of 1 other.");
      expect(text).not.toMatch(/\*(?:alice|carol|bob)\*/);
    },
  );

  it("is not told to those who may do nothing to users", async () => {
    for (const line of ["users without mfa", "is bob enabled", "does dave have mfa"])
      expect(await told("alice", line)).not.toMatch(/\*dave|has no MFA|bob is/);
  });
});

describe("the form to remove an MFA", () => {
  const { curfew } = oneBot(options);
  const person = () => curfew().workspace.as("carol");

  it("asks for the present type only where nobody knows it", async () => {
    const known = await openForm(curfew(), "carol", "remove mfa alice");
    expect(known.fields).toEqual(["User", "Reason"]);
    await person().cancel();
    await openForm(curfew(), "carol", "user unlock");
    await person().fill({ User: "bob (u-00000001)" });
    const asked = await curfew().workspace.waitFor(() => {
      const form = person().openView();
      return form?.fields.includes("Present MFA type") && form;
    });
    expect(asked.fields).toEqual(["User", "Present MFA type", "Reason"]);
    await person().cancel();
  });
});

describe("a removal that contradicts what is known", () => {
  const { curfew } = oneBot(options);
  const told = async (who: string, line: string) => (await ask(curfew(), who, line)).text;
  const removal = async (who: string, line: string) => {
    await openForm(curfew(), who, line);
    await curfew().workspace.as(who).submit();
    await curfew().app.idle();
    return curfew().workspace.as(who).openView();
  };
  const pressed = (who: string, label: string) =>
    messagesAfter(curfew(), who, () => curfew().workspace.as(who).press(label, "view"));

  it("by another type says so in the form, and is made with the known type", async () => {
    const sent = changesSentTo(curfew());
    const form = await removal("bob", "remove mfa carol google-auth");
    expect(form?.text).toContain(
      "carol has the MFA mobile-otp, not google-auth, as the config file or an import says. Nothing was changed, and nobody was asked.",
    );
    expect(buttonsOn(form ?? { blocks: [] })).toEqual(expect.arrayContaining(["Use mobile-otp", "Ask anyway"]));
    expect(sent()).toEqual([]);
    expect((await pressed("bob", "Use mobile-otp")).text).toContain("You removed the MFA of carol");
    expect(sent()).toEqual(["RemoveUserMfa"]);
  });

  it("of somebody who has none is asked for all the same, and refused once the service itself has said so", async () => {
    const { users } = curfew().service.account;
    for (const [id, user] of users) if (user.username === "dave") users.set(id, { ...user, mfaType: "mobile-otp" });
    const sent = changesSentTo(curfew());
    const form = await removal("bob", "dave lost his phone mobile-otp");
    expect(form?.text).toContain("dave has no MFA, as the config file or an import says. Nothing was changed");
    expect(sent()).toEqual([]);
    expect((await pressed("bob", "Ask anyway")).text).toContain("You unlocked dave by removing their MFA");
    expect(lastBody(curfew(), "RemoveUserMfa")).toEqual({ mfaType: "mobile-otp" });
    // From here on it is the service's own answer.
    await curfew().workspace.as("bob").cancel();
    const made = sent().length;
    await openForm(curfew(), "bob", "remove mfa dave mobile-otp");
    const refused = JSON.stringify(await curfew().workspace.as("bob").submit());
    expect(refused).toContain("dave has no MFA, as the service said on Mon 5 Apr 2027");
    expect(refused).toContain("Use “user enable u-00000004” first");
    expect(sent()).toHaveLength(made);
    await curfew().workspace.as("bob").cancel();
    for (const [id, user] of users) if (user.username === "dave") users.set(id, { ...user, mfaType: "google-auth" });
    await told("bob", "user enable u-00000004");
    await openForm(curfew(), "bob", "remove mfa dave google-auth");
    expect((await send(curfew(), "bob")).text).toContain("You removed the MFA of dave");
  });
});

it("nobody is asked to approve a removal that contradicts what is known, until its requester insists", async () => {
  const bot = await startCurfew({ config: usersNeedAnAdmin });
  try {
    const posts = () => bot.workspace.channel("ops").messages.length;
    await openForm(bot, "bob", "remove mfa dave google-auth");
    const before = posts();
    await bot.workspace.as("bob").submit();
    await bot.app.idle();
    expect(bot.workspace.as("bob").openView()?.text).toContain("dave has no MFA");
    expect(posts()).toBe(before);
    const reply = await messagesAfter(bot, "bob", () => bot.workspace.as("bob").press("Ask anyway", "view"));
    expect(reply.text).toContain("approv");
    await bot.app.idle();
    expect(posts()).toBeGreaterThan(before);
  } finally {
    await bot.stop();
  }
});
