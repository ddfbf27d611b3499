import { expect, onTestFinished, test } from "vitest";
import { parseSettings } from "../../src/config/read-settings.ts";
import { unlimitedRoles } from "../../src/permissions/policy.ts";
import { createSeedAccount } from "../../src/sandbox/service/seed-account.ts";
import { execute } from "../support/execute.ts";
import { ask, buttonsOn, cardOf, cardsIn, messagesAfter, openForm, send, textOf } from "../support/journey.ts";
import { type Curfew, exampleConfig, reload, startCurfew } from "../support/start-curfew.ts";

/** The same company with a second account of the service, in which everything has the same ids and names. */
const config = exampleConfig
  .replace("projects: [p-dev] # about", "projects: [p-dev, eu/p-dev] # about")
  .replace(
    /^resourceGroups:\n/m,
    `accounts:
  eu: { url: "https://eu.scheduler.example" }
resourceGroups:
  web: { type: amazon-ec2-instance, project: eu/p-dev, ids: [i-0e1, i-0e2] }
`,
  )
  .replace(
    /^ {2}users:\n/m,
    `  users:
    - { id: eu/u-00000001, name: bob, email: bob@example.com, mfaType: google-auth }
    - { id: eu/u-00000009, name: zoe, email: zoe@example.com, mfaType: none }
`,
  );

async function start(more = (text: string) => text) {
  let moment = Date.parse("2026-11-25T12:00:00Z");
  const clock = { now: () => moment, pass: (ms: number) => (moment += ms) };
  const curfew = await startCurfew({
    config: more(config),
    accounts: { eu: createSeedAccount(moment) },
    now: clock.now,
  });
  onTestFinished(curfew.stop);
  const eu = curfew.services.get("eu");
  if (!eu) throw new Error("the account eu has no service");
  const sent = (service: typeof eu) =>
    service.requests
      .filter(({ method }) => method !== "GET")
      .map(({ operation, path, body }) => ({ operation, path, body }));
  return { curfew, clock, eu, main: curfew.service, sentTo: { eu: () => sent(eu), main: () => sent(curfew.service) } };
}

test("makes, extends and ends an exclusion in the account of its group, with the ids that this account knows", async () => {
  const { curfew, sentTo } = await start();
  expect((await ask(curfew, "alice", "exclude web for 2h")).text).toContain("web");
  const [made] = sentTo.eu();
  expect(made).toMatchObject({
    operation: "CreateActionExclusion",
    body: { projectId: "p-dev", resourceIds: ["i-0e1", "i-0e2"] },
  });
  await ask(curfew, "alice", "extend web 1h");
  await ask(curfew, "alice", "end web");
  expect(sentTo.eu().map(({ operation }) => operation)).toEqual([
    "CreateActionExclusion",
    "ModifyActionExclusion",
    "DeleteActionExclusion",
  ]);
  expect(sentTo.main()).toEqual([]);
});

test("finds a machine and a user by what they are called in their account, and asks where several fit", async () => {
  const { curfew, sentTo } = await start();
  expect((await ask(curfew, "alice", "exclude i-0e1 for 2h")).text).toContain("eu/i-0e1");
  // i-0a1 is in the group staging of the main account; nothing is known of one in eu.
  await ask(curfew, "alice", "exclude i-0a1 for 2h");
  await ask(curfew, "alice", "exclude i-0a1 in eu for 3h");
  expect((await ask(curfew, "alice", "exclude i-0a1 for 4h")).text).toContain("main/i-0a1 or eu/i-0a1");
  expect((await ask(curfew, "alice", "why i-0a1")).text).toContain("main/i-0a1 or eu/i-0a1");
  expect(sentTo.main().map(({ body }) => body)).toMatchObject([{ projectId: "p-dev", resourceIds: ["i-0a1"] }]);
  expect(sentTo.eu().map(({ body }) => body)).toMatchObject([{ resourceIds: ["i-0e1"] }, { resourceIds: ["i-0a1"] }]);
  // What a line names in two accounts is asked of each.
  await ask(curfew, "alice", "exclude i-0a2 eu/i-0e2 for 1h");
  expect(sentTo.main().at(-1)?.body).toMatchObject({ resourceIds: ["i-0a2"] });
  expect(sentTo.eu().at(-1)?.body).toMatchObject({ resourceIds: ["i-0e2"] });
  const which = await ask(curfew, "bob", "user disable bob");
  expect(buttonsOn(which.message)).toEqual(["bob (eu/u-00000001)", "bob (u-00000001)"]);
  await ask(curfew, "carol", "project rename p-dev Dev in eu");
  expect(curfew.services.get("eu")?.account.projects.get("p-dev")?.name).toBe("Dev");
  expect(curfew.service.account.projects.get("p-dev")?.name).toBe("Development");
});

test("refuses a group of another account than was said", async () => {
  const { curfew, sentTo } = await start();
  expect((await ask(curfew, "alice", "exclude staging in eu for 1h")).text).toContain(
    "staging” is in the account main",
  );
  expect([...sentTo.main(), ...sentTo.eu()]).toEqual([]);
});

test("a right in one account is none in another", async () => {
  const only = "allow: [ModifyUser, RemoveUserMfa]\n      where: { accounts: [eu] }";
  const { curfew, sentTo } = await start((text) => text.replace("allow: [ModifyUser, RemoveUserMfa]", only));
  expect((await ask(curfew, "bob", "user disable dave")).text).toContain("You can change a user");
  expect((await ask(curfew, "bob", "user disable dave")).text).not.toContain("disabled");
  await ask(curfew, "bob", "user disable bob in eu");
  expect(sentTo.main()).toEqual([]);
  expect((await ask(curfew, "bob", "user list")).text).toContain("eu/u-00000001");
  expect((await ask(curfew, "bob", "user list")).text).not.toContain("alice@example.com");
});

test("offboards somebody in every account, by one card", async () => {
  const { curfew, sentTo } = await start();
  await openForm(curfew, "carol", "offboard bob");
  const reply = await send(curfew, "carol");
  await curfew.app.idle();
  const disabled = { operation: "ModifyUser", path: "/api/Users/u-00000001", body: { status: "disabled" } };
  expect(sentTo.main()).toContainEqual(disabled);
  expect(sentTo.eu()).toContainEqual(disabled);
  expect(textOf(await cardOf(curfew, reply.changeId))).toContain("bob in eu");
});

test("offboards somebody only in the accounts whose users one may see, and never says that there is one elsewhere", async () => {
  const helpdesk = "allow: [ModifyUser, RemoveUserMfa]";
  const inMain = "allow: [ModifyUser, RemoveUserMfa, DetachManagedPolicy]\n      where: { accounts: [main] }";
  const another = "    - { id: eu/u-00000002, name: alice, email: alice@example.com, mfaType: none }\n  projects:\n";
  const { curfew, sentTo } = await start((text) =>
    text.replace(helpdesk, inMain).replace(/^ {2}projects:\n/m, another),
  );
  await ask(curfew, "alice", "exclude web for 2h");
  const shown = async (who: string) => {
    const { text } = await openForm(curfew, "bob", `offboard ${who}`);
    await curfew.workspace.as("bob").cancel();
    return text.replaceAll(who, "<who>").replaceAll(/u-0000000\d/g, "<id>");
  };
  const [hasOne, hasNone] = [await shown("alice"), await shown("dave")];
  expect(hasOne).toContain("Accounts whose users you may not see are left out.");
  expect(hasOne).not.toMatch(/\beu\b|web/);
  expect(hasOne).toBe(hasNone);
  await openForm(curfew, "bob", "offboard alice");
  expect((await send(curfew, "bob")).text).toContain("You offboarded alice.");
  expect(sentTo.main().map(({ operation }) => operation)).toEqual(["ModifyUser"]);
  expect(sentTo.eu().map(({ operation }) => operation)).toEqual(["CreateActionExclusion"]);
});

test("an account that is away delays no other, and is reported; what it had is not taken for deleted", async () => {
  const { curfew, clock, eu, sentTo } = await start();
  await curfew.app.watch();
  await eu.faults.down();
  for (let poll = 0; poll < 4; poll += 1) {
    clock.pass(60_000);
    await curfew.app.watch();
    await curfew.app.idle();
  }
  expect(cardsIn(curfew.workspace, "ops").map(textOf).join("\n")).not.toContain("deleted");
  await heard(curfew, "“eu” of the service does not list its actions");
  expect((await ask(curfew, "alice", "next")).text).toContain("No answer from the account eu");
  await ask(curfew, "alice", "exclude staging for 1h");
  expect(sentTo.main()).toHaveLength(1);
  expect((await ask(curfew, "alice", "exclude web for 1h")).text).toMatch(/nothing was changed|may have/i);
  await eu.faults.up();
  clock.pass(60_000);
  await curfew.app.watch();
  await curfew.app.idle();
  await heard(curfew, "account eu works again");
});

const heard = ({ workspace }: Curfew, what: string) =>
  workspace.waitFor(() => cardsIn(workspace, "admins").find((message) => textOf(message).includes(what)), { what });

test("while something of an account runs, Curfew does not start without it, or with another address for it", async () => {
  const { curfew } = await start();
  await ask(curfew, "alice", "exclude web for 1h");
  const without = config
    .replace(/^accounts:\n.*\n/m, "")
    .replace(/^ {2}web: .*\n/m, "")
    .replaceAll(/^.*eu\/u-.*\n/gm, "")
    .replace(", eu/p-dev", "");
  await expect(curfew.restart({}, without)).rejects.toThrow("of the account “eu” still runs or waits");
  const moved = config.replace("eu.scheduler.example", "new.scheduler.example");
  await expect(curfew.restart({}, moved)).rejects.toThrow("was at https://eu.scheduler.example");
  await curfew.restart({}, moved.replace('example" }', 'example", was: "https://eu.scheduler.example" }'));
  await curfew.restart({}, moved);
  await ask(curfew, "alice", "end web");
  await curfew.restart({}, without);
});

test("a database of another workspace is refused, unless both are of one organization", async () => {
  const { curfew } = await start();
  await execute(curfew.database, "update belonging set value = 'T0OTHER' where name = 'workspace'");
  await expect(curfew.restart()).rejects.toThrow("belongs to T0OTHER in Slack, and Curfew is installed in");
  await curfew.restart({}, `${config}\nteams: [T0OTHER, T0CURFEW]\n`);
  await curfew.restart();
});

test("no other name of a thing of the main account gets past a rule", async () => {
  const approvals =
    "approvals:\n  - { operations: [ModifyProject], approvers: [admin, helpdesk], channel: C0SEC, when: { projects: [p-dev] } }\n";
  const { curfew, sentTo } = await start((text) => text + approvals);
  expect((await ask(curfew, "carol", "project rename main/p-dev Dev")).text).toMatch(/approv/);
  expect((await ask(curfew, "carol", "project rename p-dev Dev in main")).text).toMatch(/approv|asked/);
  expect(sentTo.main()).toEqual([]);
  const wrong = parseSettings(config.replace("projects: [p-dev, eu/p-dev]", "projects: [main/p-dev]"), "curfew.yaml");
  expect(wrong).toMatchObject({ problems: [expect.stringContaining("leave out “main/”")] });
});

test("an account in the reason of a line is none of the line", async () => {
  const { curfew, sentTo } = await start();
  await ask(curfew, "alice", "exclude i-0a1 for 2h due to the outage in eu");
  await ask(curfew, "alice", "exclude i-0a2 for 2h because the demo in eu runs late");
  expect(sentTo.eu()).toEqual([]);
  await ask(curfew, "alice", "exclude i-0e1 in eu for 2h because of the demo");
  expect(sentTo.eu()).toHaveLength(1);
});

test("machines of two accounts in one list stay where they are", async () => {
  const { curfew, sentTo } = await start();
  for (const line of ["exclude i-0a1, i-0e2 for 2h", "exclude main/i-0a2 eu/i-0e1 for 1h"]) {
    const { text } = await openForm(curfew, "carol", line);
    expect(text).toContain("*Project* is missing");
    await curfew.workspace.as("carol").cancel();
  }
  expect([...sentTo.eu(), ...sentTo.main()]).toEqual([]);
});

test("the history of an account is for those who may see its users", async () => {
  const only = "allow: [ModifyUser, RemoveUserMfa]\n      where: { accounts: [eu] }";
  const { curfew } = await start((text) => text.replace("allow: [ModifyUser, RemoveUserMfa]", only));
  await ask(curfew, "carol", "user disable dave because of something private");
  await curfew.app.idle();
  expect((await ask(curfew, "bob", "history")).text).not.toContain("dave");
});

test("an account that has not answered since the start is shown as it was before, and nothing of it is taken for nothing", async () => {
  const { curfew, clock, eu } = await start();
  await curfew.app.watch();
  await eu.faults.down();
  await curfew.restart();
  clock.pass(60_000);
  const { text } = await ask(curfew, "alice", "next web");
  expect(text).toContain("No answer from the account eu: what is shown of it may be old");
  expect(text).toContain("Stop staging at 19:00");
  await eu.faults.up();
});

test("what is done in one account is announced where that account is, and offboarding in each", async () => {
  const announced = `announce:
  - { operations: ["*"], channel: C0OPS, accounts: [main] }
  - { operations: [ModifyUser], channel: C0SEC, accounts: [eu] }
`;
  const { curfew } = await start((text) => text.replace(/^announce:\n(?: {2}- .*\n)+/m, announced));
  await ask(curfew, "carol", "user disable dave");
  await curfew.app.idle();
  expect(cardsIn(curfew.workspace, "security")).toEqual([]);
  await openForm(curfew, "carol", "offboard bob");
  const reply = await send(curfew, "carol");
  expect(textOf(await cardOf(curfew, reply.changeId, "security"))).toContain("bob");
});

test("in the thread of a card the card's own exclusion is meant, in no other account", async () => {
  const { curfew, sentTo } = await start();
  const { changeId } = await ask(curfew, "alice", "exclude i-0a1 for 2h");
  await ask(curfew, "alice", "exclude i-0e1 for 2h");
  await curfew.app.idle();
  const card = await cardOf(curfew, changeId);
  const said = () => curfew.workspace.as("alice").type("@Curfew end it in eu", "ops", card.ts);
  expect((await messagesAfter(curfew, "alice", said)).text).toContain("not in the account eu");
  expect([...sentTo.eu(), ...sentTo.main()].filter(({ operation }) => operation === "DeleteActionExclusion")).toEqual(
    [],
  );
});

test("an admin of one account decides nothing about the config", () => {
  const limited = config.replace('allow: ["*"]', 'allow: ["*"]\n      where: { accounts: [eu] }');
  const read = parseSettings(limited, "curfew.yaml");
  expect("settings" in read && unlimitedRoles(read.settings.policy, "C0ADMINS")).toEqual([]);
});

test("lists and questions are narrowed to an account, in whatever way it is said", async () => {
  const { curfew, clock } = await start();
  const told = async (line: string) => (await ask(curfew, "carol", line)).text;
  await told("exclude web for 2h");
  clock.pass(60_000);
  await told("exclude i-0a1 for 2h");
  expect(await told("list in eu")).toMatch(/1 kept.*\n.*web/);
  expect(await told("list in main")).toMatch(/1 kept.*\n.*i-0a1/);
  for (const line of ["history in eu", "history --account eu", "history -- account eu", "history in the account eu"]) {
    expect(await told(line), line).toContain("kept web running");
    expect(await told(line), line).not.toContain("i-0a1");
  }
  // What failed has no id that says an account.
  curfew.service.faults.next({ kind: "status", status: 403, operation: "CreateActionExclusion" });
  await told("exclude i-0a2 for 2h");
  expect(await told("history failed in main")).toContain("i-0a2");
  expect(await told("history failed in eu")).not.toContain("i-0a2");
  const ofMain = await told("history mine in main");
  expect(ofMain).toContain("kept i-0a1 running");
  expect(ofMain).not.toContain("web");
  for (const line of ["running in eu", "running --account eu"]) {
    expect(await told(line), line).toContain("*web*");
    expect(await told(line), line).not.toContain("*staging*");
  }
  expect(await told("running in main")).not.toContain("*web*");
  expect(await told("next in eu")).not.toContain("for staging");
  expect(await told("users in eu")).toMatch(/zoe/);
  expect(await told("users in eu")).not.toContain("alice");
  expect(await told("actions in eu")).toContain("eu/a-");
  expect(await told("actions in main")).not.toContain("eu/a-");
  expect(await told("history --account us")).toContain("There is no account “us”. There are main and eu.");
});

test("a project that moves to another account: what is open ends in the old one, and check names what still has the old id", async () => {
  const inMain = (text: string) =>
    text
      .replace(
        /^resourceGroups:\n/m,
        "resourceGroups:\n  shop: { type: amazon-ec2-instance, project: p-web, ids: [i-0f1] }\n",
      )
      .replace(/^ {2}projects:\n/m, "  projects:\n    - { id: p-web, name: Web }\n")
      .replace("projects: [p-dev, eu/p-dev]", "projects: [p-dev, eu/p-dev, p-web]");
  const { curfew, sentTo, clock, main, eu } = await start(inMain);
  for (const { account } of [main, eu]) {
    const [some] = account.projects.values();
    if (some) account.projects.set("p-web", { ...some, projectId: "p-web", name: "Web" });
  }
  const open = await ask(curfew, "carol", "exclude shop for 2h");
  expect(sentTo.main()).toMatchObject([{ operation: "CreateActionExclusion", body: { projectId: "p-web" } }]);

  const half = inMain(config).replace("project: p-web,", "project: eu/p-web,").replace("id: p-web,", "id: eu/p-web,");
  const found = parseSettings(half, "curfew.yaml");
  const warned = "lint" in found ? found.lint.warning.filter((line) => line.includes("the id p-web;")) : [];
  expect(warned).toEqual([
    expect.stringMatching(
      /where\.projects: directory\.projects does not list a project with the id p-web; did you mean "eu\/p-web"\?$/,
    ),
  ]);
  await reload(curfew, half.replace("eu/p-dev, p-web]", "eu/p-dev, eu/p-web]"));
  clock.pass(60_000);
  expect(await ask(curfew, "carol", "list in main").then(({ text }) => text)).toContain("1 kept running or off");
  expect((await ask(curfew, "carol", "exclude shop for 1h")).text).toContain("Keeping shop running");
  expect(sentTo.eu()).toMatchObject([
    { operation: "CreateActionExclusion", body: { projectId: "p-web", resourceIds: ["i-0f1"] } },
  ]);
  await ask(curfew, "carol", `extend main/${open.exclusionId} 1h`);
  await ask(curfew, "carol", `end main/${open.exclusionId}`);
  expect(sentTo.main().map(({ operation }) => operation)).toEqual([
    "CreateActionExclusion",
    "ModifyActionExclusion",
    "DeleteActionExclusion",
  ]);
  expect(sentTo.eu()).toHaveLength(1);
  expect((await ask(curfew, "carol", "list in main")).text).toContain("Nothing is kept");
});
