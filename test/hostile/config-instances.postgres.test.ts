import { afterEach, describe, expect, it } from "vitest";
import { configWith } from "../support/approval-journey.ts";
import { createClock } from "../support/clock.ts";
import { type FollowedFile, followFile } from "../support/follow-file.ts";
import { ask, buttonsOn, cardsIn, nowOf, textOf } from "../support/journey.ts";
import { type Curfew, type Instance, startCurfew } from "../support/start-curfew.ts";

const strict = configWith("{ operations: [ModifyUser], approvers: [admin] }");
const loose = strict.slice(0, strict.indexOf("\napprovals:"));

const clock = createClock();
let running: Curfew | undefined;
const files: FollowedFile[] = [];
afterEach(async () => {
  for (const file of files.splice(0)) await file.stop();
  await running?.stop();
  running = undefined;
});

/** Several instances on one database, each with its own config file. */
async function instances() {
  const curfew = await startCurfew({ config: strict, now: clock.now });
  running = curfew;
  const all: readonly Instance[] = [curfew, await curfew.addInstance(), await curfew.addInstance()];
  for (const { app } of all) files.push(await followFile(app, strict));
  const needsApproval = async (instance: Instance): Promise<boolean> => {
    curfew.deliverTo(instance);
    await curfew.app.idle();
    const { text, changeId } = await ask(curfew, "bob", "user disable dave@example.com");
    await curfew.app.idle();
    if (text.includes("You disabled")) {
      await ask(curfew, "bob", "user enable dave@example.com");
      return false;
    }
    await ask(curfew, "bob", `withdraw ${changeId}`);
    return true;
  };
  const questions = () => cardsIn(curfew.workspace, "admins").filter((card) => buttonsOn(card).includes("Use it"));
  return { curfew, all, needsApproval, questions };
}

describe("several instances with the same config", () => {
  it("ask once, and all apply the decision made at one of them", async () => {
    const { curfew, all, needsApproval, questions } = await instances();
    for (const file of files) file.write(loose);
    const [card] = await curfew.workspace.waitFor(() => questions().length > 0 && questions());
    for (const instance of all) expect(await needsApproval(instance)).toBe(true);
    expect(questions()).toHaveLength(1);
    if (!card) throw new Error("There is no question.");
    await curfew.workspace.as("carol").press("Use it", card);
    await curfew.workspace.waitFor(() => textOf(nowOf(curfew, card)).includes("carol chose to use the new config"));
    for (const instance of all)
      await expect.poll(() => needsApproval(instance), { timeout: 15_000, interval: 200 }).toBe(false);
    expect(questions()).toEqual([]);
  });

  it("do not affect an instance with a different config", async () => {
    const { curfew, all, needsApproval, questions } = await instances();
    const [first, ...others] = all;
    files[0]?.write(loose);
    files[1]?.write(loose);
    const [card] = await curfew.workspace.waitFor(() => questions().length > 0 && questions());
    if (!card || !first) throw new Error("There is no question.");
    await curfew.workspace.as("carol").press("Use it", card);
    for (const instance of all.slice(0, 2))
      await expect.poll(() => needsApproval(instance), { timeout: 15_000, interval: 200 }).toBe(false);
    for (const instance of others.slice(1)) expect(await needsApproval(instance)).toBe(true);
  });
});
