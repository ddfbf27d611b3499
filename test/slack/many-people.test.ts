import { describe, expect, it } from "vitest";
import { SlackSilentError } from "../../src/slack/people/look-up.ts";
import { idsOf, manyPeople } from "./people-scene.ts";

const minute = 60_000;

describe("with many people active", () => {
  it.each([
    ["one after the other", minute],
    ["in the same second", 1000],
  ])("300 within a minute cost a few calls: %s", async (_how, ms) => {
    const { startInstance, pass, counted } = await manyPeople(300);
    await pass(startInstance(), idsOf(300), ms);
    expect(counted("users.info")).toBeLessThanOrEqual(16);
    expect(counted("users.list")).toBeLessThanOrEqual(3);
  });

  it("300 at the same moment cost a few calls", async () => {
    const { startInstance, counted } = await manyPeople(300);
    const actors = startInstance();
    const found = await Promise.all(idsOf(300).map((id) => actors.actor(id, "exclusion")));
    expect(found.every(({ membership }) => membership === "member")).toBe(true);
    expect(counted("users.info")).toBeLessThanOrEqual(16);
    expect(counted("users.list")).toBe(1);
  });

  it("1,500 a minute in a workspace of 3,000 cost four pages twice a minute, and nobody is asked about alone", async () => {
    const { startInstance, pass, counted } = await manyPeople(3000);
    const actors = startInstance();
    await pass(actors, idsOf(1500), minute);
    const [alone, pages] = [counted("users.info"), counted("users.list")];
    expect(alone).toBeLessThanOrEqual(16);
    for (let minutes = 0; minutes < 3; minutes++)
      await pass(actors, idsOf(3000).slice(minutes * 500, 1500 + minutes * 500), minute);
    expect(counted("users.info")).toBe(alone);
    expect(counted("users.list") - pages).toBeLessThanOrEqual(3 * 8);
  });

  it("a few people are still asked about one by one", async () => {
    const { startInstance, pass, counted } = await manyPeople(300);
    await pass(startInstance(), idsOf(15), minute);
    expect(counted("users.list")).toBe(0);
    expect(counted("users.info")).toBeGreaterThanOrEqual(15);
  });

  it("the list is left alone again when they are few", async () => {
    const { startInstance, pass, counted, clock } = await manyPeople(300);
    const actors = startInstance();
    await pass(actors, idsOf(100), minute);
    clock.now += 10 * minute;
    await actors.refresh();
    const pages = counted("users.list");
    await pass(actors, idsOf(5), 5 * minute);
    expect(counted("users.list")).toBe(pages);
  });
});

/** An instance with the list read, and everybody known. */
async function busy(count = 300) {
  const scene = await manyPeople(count);
  const actors = scene.startInstance();
  await scene.pass(actors, idsOf(40), 1000);
  const leave = (id: string) => scene.workspace.changes.changePerson(id, { deleted: true });
  const membershipOf = async (id: string, purpose: "exclusion" | "change") =>
    (await actors.actor(id, purpose)).membership;
  return { ...scene, actors, leave, membershipOf };
}

describe("what the list says", () => {
  it("counts for a minute for an exclusion, from when its page was asked for", async () => {
    const { leave, clock, membershipOf, counted } = await busy();
    const alone = counted("users.info");
    expect(await membershipOf("U1200", "exclusion")).toBe("member");
    expect(counted("users.info")).toBe(alone);
    await leave("U1200");
    clock.now += 58_000;
    expect(await membershipOf("U1200", "exclusion")).toBe("member");
    clock.now += 2000;
    expect(await membershipOf("U1200", "exclusion")).toBe("deleted");
  });

  it("counts for nothing but exclusions and reads: for anything else Slack is asked about the person alone", async () => {
    const { leave, clock, membershipOf, counted, workspace } = await busy();
    const alone = counted("users.info");
    await leave("U1200");
    expect(await membershipOf("U1200", "change")).toBe("deleted");
    expect(counted("users.info")).toBe(alone + 1);
    workspace.faults.failNext("users.info", { retryAfterSeconds: 30, times: 9 });
    clock.now += 1000;
    expect(await membershipOf("U1201", "exclusion")).toBe("member");
    await expect(membershipOf("U1201", "change")).rejects.toThrow(SlackSilentError);
  });

  it("gives way to a newer answer about the person alone, also to one that arrives later", async () => {
    const { leave, clock, membershipOf, workspace } = await busy();
    clock.now += 1000;
    let arrive = (): void => undefined;
    workspace.faults.failNext("users.info", { until: new Promise<void>((resolve) => (arrive = resolve)) });
    const approval = membershipOf("U1200", "change");
    expect(await membershipOf("U1200", "exclusion")).toBe("member");
    await leave("U1200");
    arrive();
    expect(await approval).toBe("deleted");
    clock.now += 50_000;
    expect(await membershipOf("U1200", "exclusion")).toBe("deleted");
  });

  it("ends as soon as Slack says that a person changed, and does not come back with a page that was asked for before", async () => {
    const { actors, clock, leave, membershipOf, workspace } = await busy();
    clock.now += 31_000;
    let arrive = (): void => undefined;
    workspace.faults.failNext("users.list", {
      until: new Promise<void>((resolve) => (arrive = resolve)),
      afterwards: true,
    });
    const reading = actors.refresh();
    await expect.poll(() => workspace.calls.at(-1)?.method).toBe("users.list");
    await leave("U1200");
    clock.now += 1;
    actors.changed("U1200");
    arrive();
    await reading;
    expect(await membershipOf("U1200", "exclusion")).toBe("deleted");
  });

  it("is known of people who were deactivated between two pages, with the next reading at the latest", async () => {
    const { actors, clock, leave, membershipOf, workspace, counted } = await busy(2100);
    clock.now += 31_000;
    const alone = counted("users.info");
    let pages = 0;
    workspace.faults.alter("users.list", (answer) => {
      // U1005 is on the first page, U2500 on the second.
      if (pages++ === 0) for (const id of ["U1005", "U2500"]) void leave(id);
      return answer;
    });
    await actors.refresh();
    expect(pages).toBe(3);
    expect(await membershipOf("U1005", "exclusion")).toBe("member");
    expect(await membershipOf("U2500", "exclusion")).toBe("deleted");
    clock.now += 31_000;
    await actors.refresh();
    expect(await membershipOf("U1005", "exclusion")).toBe("deleted");
    expect(counted("users.info")).toBeLessThanOrEqual(alone + 2);
  });

  it("says nothing of people of another workspace: Slack is asked about them alone", async () => {
    const { actors, clock, counted } = await busy();
    const alone = counted("users.info");
    expect((await actors.actor("U06ERIN")).membership).toBe("external");
    expect((await actors.actor("U05GINA")).membership).toBe("guest");
    expect(counted("users.info")).toBe(alone + 1);
    clock.now += 31_000;
    await actors.refresh();
    expect((await actors.actor("U06ERIN")).membership).toBe("external");
  });

  it.each([
    ["a guest", "guest", { is_restricted: true }],
    ["no longer", "deleted", { deleted: true }],
  ])("says nothing of who is %s in one workspace and a member in another", async (_how, membership, facts) => {
    const { startInstance, counted, workspace, clock } = await organization(() => ["T0CURFEW", "T0SISTER"]);
    const pages: number[] = [];
    const differing = (member: unknown) => (Object(member).id === "U1030" ? { ...Object(member), ...facts } : member);
    workspace.faults.alter("users.list", (answer) =>
      pages.push(clock.now++) % 2 === 0 ? answer : { ...answer, members: [answer.members].flat().map(differing) },
    );
    workspace.faults.alter("users.info", (answer) => ({ ...answer, user: differing(answer.user) }));
    const actors = startInstance();
    for (let readings = 1; readings < 4; readings++) {
      await Promise.all(idsOf(40).map((id) => actors.actor(id, "exclusion")));
      expect((await actors.actor("U1030", "exclusion")).membership).toBe(membership);
      expect((await actors.actor("U1031", "exclusion")).membership).toBe("member");
      expect(counted("users.list")).toBe(2 * readings);
      clock.now += 31_000;
      await actors.refresh();
    }
  });

  it("is asked for in each workspace of an organization; who left only one of them is still a member", async () => {
    const { startInstance, counted, workspace } = await organization((index) =>
      index % 3 ? ["T0CURFEW"] : ["T0CURFEW", "T0SISTER"],
    );
    workspace.faults.alter("users.list", (answer) => ({ ...answer, members: [answer.members].flat().map(leftOne) }));
    const actors = startInstance();
    const found = await Promise.all(idsOf(40).map((id) => actors.actor(id, "exclusion")));
    expect(found.every(({ membership }) => membership === "member")).toBe(true);
    expect(counted("users.list")).toBe(2);
    expect(counted("users.info")).toBe(17);
  });
});

/** 40 people in two workspaces. */
const organization = (teamsOf: (index: number) => readonly string[]) =>
  manyPeople(0, {
    enterprise: { id: "E0ORG", name: "Example", isOrgWide: true },
    people: idsOf(40).map((id, index) => ({
      ...{ id, handle: id, realName: id, teamId: index % 2 ? "T0SISTER" : "T0CURFEW" },
      teams: teamsOf(index),
    })),
    channels: [],
    userGroups: [],
  });

const leftOne = (member: unknown) => (Object(member).id === "U1030" ? { ...Object(member), deleted: true } : member);

function hangs() {
  let resolve = (): void => undefined;
  return { end: new Promise<void>((end) => (resolve = end)), resolve: () => resolve() };
}

describe("while Slack's list", () => {
  const troubles = [
    ["is late", { delayMs: 1500, times: 9 }],
    ["is lost", { reset: true, times: 9 }],
    ["is in trouble", { error: "internal_error", times: 9 }],
    ["answers no JSON", { status: 500, times: 9 }],
    ["limits the rate", { retryAfterSeconds: 30, times: 9 }],
  ] as const;

  it.each(troubles)("%s, people are asked about alone", async (_how, fault) => {
    const { startInstance, workspace, counted } = await manyPeople(60);
    workspace.faults.failNext("users.list", fault);
    const actors = startInstance();
    const found = await Promise.all(idsOf(60).map((id) => actors.actor(id, "exclusion")));
    expect(found.every(({ membership }) => membership === "member")).toBe(true);
    expect(counted("users.info")).toBe(60);
    expect(counted("users.list")).toBeLessThanOrEqual(1);
  });

  it("is silent, only the first of those who are not known wait a second for it", async () => {
    const { actors, clock, workspace } = await busy();
    clock.now += 61_000;
    const { end, resolve } = hangs();
    workspace.faults.failNext("users.list", { until: end });
    const began = performance.now();
    for (const id of ["U1200", "U1201", "U1202"]) await actors.actor(id, "exclusion");
    expect(performance.now() - began).toBeLessThan(2000);
    resolve();
  });

  it("and Slack are silent, nobody waits longer than for Slack alone", async () => {
    const { clock, membershipOf, workspace } = await busy();
    clock.now += 61_000;
    const { end, resolve } = hangs();
    for (const method of ["users.list", "users.info"]) workspace.faults.failNext(method, { until: end });
    const began = performance.now();
    await expect(membershipOf("U1200", "exclusion")).rejects.toThrow(SlackSilentError);
    expect(performance.now() - began).toBeLessThan(2200);
    resolve();
  });

  it("needs a workspace that the config does not name, one warning says so", async () => {
    const { startInstance, clock, logged } = await organization(() => ["T0CURFEW"]);
    const actors = startInstance({ teams: undefined });
    for (let readings = 0; readings < 3; readings++) {
      await Promise.all(idsOf(40).map((id) => actors.actor(id, "exclusion")));
      clock.now += 31_000;
      await actors.refresh();
    }
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/missing_argument.*could not read the list of people/);
  });

  it("limits the rate, no warning says so", async () => {
    const { startInstance, workspace, logged } = await manyPeople(60);
    workspace.faults.failNext("users.list", { retryAfterSeconds: 30, times: 9 });
    const actors = startInstance();
    await Promise.all(idsOf(60).map((id) => actors.actor(id, "exclusion")));
    expect(logged.filter((line) => line.includes("list of people"))).toEqual([]);
  });

  it("breaks off after its first page, that page counts, and the others are asked about alone", async () => {
    const { startInstance, workspace, counted } = await manyPeople(1030);
    workspace.faults.failNext("users.list", { delayMs: 0 });
    workspace.faults.failNext("users.list", { error: "invalid_cursor" });
    const actors = startInstance();
    const ids = idsOf(1030);
    const asked = [...ids.slice(0, 30), ...ids.slice(-10)];
    await Promise.all(asked.map((id) => actors.actor(id, "exclusion")));
    expect(counted("users.info")).toBe(16 + 10);
  });

  it("and Slack's answers about single people are limited, nothing older than a minute counts", async () => {
    const { actors, clock, membershipOf, workspace } = await busy();
    const limited = { retryAfterSeconds: 30, times: 99 };
    workspace.faults.failNext("users.list", limited);
    workspace.faults.failNext("users.info", limited);
    clock.now += 59_000;
    expect(await membershipOf("U1200", "exclusion")).toBe("member");
    clock.now += 1000;
    await actors.refresh();
    await expect(membershipOf("U1200", "exclusion")).rejects.toThrow(SlackSilentError);
    await expect(membershipOf("U1200", "change")).rejects.toThrow(SlackSilentError);
  });
});
