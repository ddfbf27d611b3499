import { afterEach, beforeEach, expect, test } from "vitest";
import { describeInBrowser, type OpenPage } from "../support/browser.ts";
import { builtPage } from "../support/built.ts";
import { type RunningPage, startPage } from "./start-page.ts";

await describeInBrowser("two people at their own browsers", (browser) => {
  let sandbox: RunningPage;
  let bob: OpenPage;
  let carol: OpenPage;
  beforeEach(async () => {
    sandbox = await startPage(builtPage());
    [bob, carol] = await Promise.all([
      browser.open(`${sandbox.url}/#bob/ops`),
      browser.open(`${sandbox.url}/#carol/security`),
    ]);
    const line = bob.page.getByRole("combobox", { name: "Message #ops" });
    await line.fill("/curfew user remove-mfa alice google-auth");
    await line.press("Enter");
    const form = bob.page.getByRole("dialog", { name: "Remove MFA" });
    await form.getByLabel("Reason").fill("lost the phone");
    await form.getByRole("button", { name: "Remove MFA" }).click();
    await bob.page.getByText("Waiting for the approval of @carol in #security, until ").waitFor();
  });
  afterEach(async () => {
    await bob.close();
    await carol.close();
    await sandbox.stop();
  });

  const cardFor = ({ page }: OpenPage) =>
    page
      .getByRole("log", { name: "Messages in #security" })
      .getByRole("article")
      .filter({ hasText: "lost the phone" })
      .last();
  const mfaOfAlice = () => sandbox.curfew.service.account.users.get("u-00000002")?.mfaType;

  test("one person approves another's change, and both see the result", async () => {
    const dialog = carol.page.getByRole("dialog");
    await cardFor(carol).getByRole("button", { name: "Approve", exact: true }).click();
    await dialog.getByRole("button", { name: "Approve" }).click();
    await cardFor(carol).getByText("removed the MFA of alice").waitFor();
    expect(await cardFor(carol).getByRole("button", { name: "Approve" }).count()).toBe(0);
    await bob.page.getByRole("link", { name: /Curfew.* new/ }).click();
    await bob.page.getByRole("link", { name: "Messages" }).click();
    await bob.page.getByText("You removed the MFA of alice").waitFor();
    expect(mfaOfAlice()).toBe("none");
  });

  test("a refusal in another channel opens the one where it is allowed", async () => {
    const { page } = bob;
    await page.goto(`${sandbox.url}/#alice/random`);
    const line = page.getByRole("combobox", { name: "Message #random" });
    await line.fill("/curfew exclude staging for 1h");
    await line.press("Enter");
    await page.getByRole("button", { name: "Ask carol to allow it" }).waitFor();
    await page.getByRole("button", { name: "Open the channel" }).click();
    await page.getByRole("combobox", { name: "Message #ops" }).waitFor();
  });

  test("a requester cannot approve their own change but can withdraw it", async () => {
    const { page } = bob;
    await page.goto(`${sandbox.url}/#bob/security`);
    await cardFor(bob).getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
    await page
      .getByRole("article")
      .filter({ hasText: "Only visible to you" })
      .getByText("nothing was changed")
      .waitFor();
    expect(await cardFor(bob).getByRole("button", { name: "Withdraw" }).count()).toBe(0);
    await page.goto(`${sandbox.url}/#bob/ops`);
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await cardFor(carol).getByText("withdrawn").first().waitFor();
    expect(await cardFor(carol).getByRole("button", { name: "Approve" }).count()).toBe(0);
    expect(mfaOfAlice()).toBe("google-auth");
  });
});
