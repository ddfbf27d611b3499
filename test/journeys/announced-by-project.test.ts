import { expect, it } from "vitest";
import { ask, cardOf, cardsIn, end, nowOf, textOf, threadOf } from "../support/journey.ts";
import { oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const announce = `announce:
  - { operations: ["*", elsewhere], channel: C0OPS, projects: [p-dev] }
  - { operations: ["*"], channel: C0SEC, projects: [p-prod] }
  - { operations: [ModifyUser], channel: C0SEC }
`;
const { curfew } = oneBot({ config: unlimitedConfig.replace(/^announce:\n(?: .*\n)+/m, announce) });

/** The channels with a card of the change. */
async function announcedIn(changeId: string): Promise<readonly string[]> {
  expect(changeId).not.toBe("");
  await curfew().app.idle();
  const saying = (channel: string) => cardsIn(curfew().workspace, channel).some(({ text }) => text.includes(changeId));
  return ["ops", "security"].filter(saying);
}

it("an exclusion is announced in the channel of its project, from its making to its end", async () => {
  const made = await ask(curfew(), "alice", "exclude staging for 2h --another");
  expect(made.text).not.toContain("See <#");
  expect(await announcedIn(made.changeId)).toEqual(["ops"]);
  const card = await cardOf(curfew(), made.changeId);
  // The requests to change it and to end it name no project.
  const moved = await ask(curfew(), "alice", `exclusion extend ${made.exclusionId} for 1h`);
  const ended = await end(curfew(), "carol", made.exclusionId);
  await curfew().app.idle();
  expect(await announcedIn(moved.changeId)).toEqual([]);
  expect(await announcedIn(ended.changeId)).toEqual([]);
  expect(threadOf(curfew(), card)).toHaveLength(2);
  expect(textOf(nowOf(curfew(), card))).toContain("<@U03CAROL> ended it");
});

it("one of another project is announced there, and its requester is led to the card", async () => {
  const { changeId, text } = await ask(curfew(), "carol", "exclude i-0b1 --project p-prod for 2h");
  expect(text).toContain("See <#C0SEC>.");
  expect(await announcedIn(changeId)).toEqual(["security"]);
});

it.each([
  ["a project itself", "project rename p-prod Live", ["security"]],
  ["a new plan", 'plan create "Weekend" --project p-dev --start 08:00 --stop 9am --days monday', ["ops"]],
  ["a selector, by its plan", "selector edit plan-00000001 sel-00000001 --name Renamed", ["ops"]],
])("%s is announced where its project is", async (_, line, channels) => {
  expect(await announcedIn((await ask(curfew(), "carol", line)).changeId)).toEqual(channels);
});

it("an account is in no project: it is announced where all are, and without such an entry in every channel", async () => {
  const disabled = await ask(curfew(), "bob", "user disable dave@example.com");
  expect(await announcedIn(disabled.changeId)).toEqual(["security"]);
  const detached = await ask(curfew(), "carol", "user detach-policy bob “Read only”");
  expect(await announcedIn(detached.changeId)).toEqual(["ops", "security"]);
});
