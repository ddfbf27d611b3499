import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type CrashRequest, isNotified } from "./ask.ts";
import { serverDatabase } from "./database.ts";
import { judge, summaryOf, type Verdict } from "./judge.ts";
import { openScene, type Scene } from "./scene.ts";
import { waitMs } from "./wait-ms.ts";

const people = 25;

describe("a PostgreSQL that crashes and comes back", { timeout: 3 * waitMs }, () => {
  let server: PostgresServer;
  let scene: Scene;
  beforeAll(async () => {
    // Acknowledged commits must survive the crash.
    server = await startPostgres(findPostgres(process.env) ?? "", { synchronous_commit: "on" });
    scene = await openScene(serverDatabase(server));
    await scene.start();
  }, waitMs);
  afterAll(async () => {
    await scene.close();
    await server.stop();
  });

  const judged = async (what: string, requests: readonly CrashRequest[]): Promise<Verdict> => {
    await scene.settle();
    const verdict = await judge(scene, requests);
    process.stdout.write(`crash PostgreSQL crashing ${what}: ${summaryOf(verdict)}\n`);
    expect(verdict.violations).toEqual([]);
    expect(verdict.counts).toMatchObject({ notified: requests.length, twice: 0 });
    return verdict;
  };
  const allNotified = (requests: readonly CrashRequest[]) =>
    vi.waitUntil(() => requests.every((each) => isNotified(scene.workspace, each)), { timeout: waitMs });

  it("during calls: every requester is notified, and outcomes are recorded after the restart", async () => {
    scene.gate.set("held");
    const requests = await scene.ask(people);
    await vi.waitUntil(async () => (await scene.count("performing")) === people, { timeout: waitMs });
    await server.crash();
    scene.gate.set("open");
    await allNotified(requests);
    await server.start();
    scene.clock.advance(60_000);
    const { counts } = await judged("during calls", requests);
    expect(counts).toMatchObject({ succeeded: people, cards: people });
  });

  it("before requests: all are refused, and later ones succeed", async () => {
    await server.crash();
    const requests = await scene.ask(people);
    await allNotified(requests);
    await server.start();
    const { counts } = await judged("before requests", requests);
    expect(counts).toMatchObject({ refused: people, cards: 0 });
    const { counts: later } = await judged("and is back", await scene.ask(people));
    expect(later).toMatchObject({ succeeded: people, cards: people });
  });

  it("at any moment: performs nothing that is not recorded", async () => {
    const before = scene.service.requests.length;
    const pendingRequests = scene.ask(2 * people);
    await vi.waitUntil(() => scene.service.requests.length > before + people, { timeout: waitMs, interval: 5 });
    await server.crash();
    await server.start();
    const requests = await pendingRequests;
    await allNotified(requests);
    scene.clock.advance(60_000);
    await judged("at any moment", requests);
  });
});
