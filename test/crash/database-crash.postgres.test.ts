import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findPostgres, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type Asked, isNotified } from "./asked.ts";
import { serverDatabase } from "./database.ts";
import { inWords, judge, type Verdict } from "./judge.ts";
import { waitMs } from "./patience.ts";
import { openScene, type Scene } from "./scene.ts";

const people = 25;

describe("a PostgreSQL that crashes and comes back", { timeout: 3 * waitMs }, () => {
  let server: PostgresServer;
  let scene: Scene;
  beforeAll(async () => {
    // What it has acknowledged must outlive its crash.
    server = await startPostgres(findPostgres(process.env) ?? "", { synchronous_commit: "on" });
    scene = await openScene(serverDatabase(server));
    await scene.start();
  }, waitMs);
  afterAll(async () => {
    await scene.close();
    await server.stop();
  });

  const judged = async (what: string, asked: readonly Asked[]): Promise<Verdict> => {
    await scene.settle();
    const verdict = await judge(scene, asked);
    process.stdout.write(`crash PostgreSQL crashing ${what}: ${inWords(verdict)}\n`);
    expect(verdict.wrongs).toEqual([]);
    expect(verdict.counts).toMatchObject({ told: asked.length, twice: 0 });
    return verdict;
  };
  const answered = (asked: readonly Asked[]) =>
    vi.waitUntil(() => asked.every((each) => isNotified(scene.workspace, each)), { timeout: waitMs });

  it("while changes are performed: each is told what the service said, and is recorded when it is back", async () => {
    scene.gate.set("held");
    const asked = await scene.ask(people);
    await vi.waitUntil(async () => (await scene.count("performing")) === people, { timeout: waitMs });
    await server.crash();
    scene.gate.set("open");
    await answered(asked);
    await server.start();
    scene.clock.advance(60_000);
    const { counts } = await judged("while changes are performed", asked);
    expect(counts).toMatchObject({ succeeded: people, cards: people });
  });

  it("before they are asked: nothing is done and everybody is told so; and what comes later is done", async () => {
    await server.crash();
    const asked = await scene.ask(people);
    await answered(asked);
    await server.start();
    const { counts } = await judged("before they are asked", asked);
    expect(counts).toMatchObject({ refused: people, cards: 0 });
    const { counts: later } = await judged("and is back", await scene.ask(people));
    expect(later).toMatchObject({ succeeded: people, cards: people });
  });

  it("in the middle of it all: nothing is performed that is not recorded", async () => {
    const before = scene.workspace.calls.length;
    const asking = scene.ask(2 * people);
    await scene.workspace.waitFor(() => scene.workspace.calls.length > before + people, { timeoutMs: waitMs });
    await server.crash();
    await server.start();
    const asked = await asking;
    await answered(asked);
    scene.clock.advance(60_000);
    await judged("in the middle of it all", asked);
  });
});
