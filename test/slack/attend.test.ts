import PQueue from "p-queue";
import { expect, test } from "vitest";
import { createInFlight } from "../../src/lifecycle.ts";
import { attend } from "../../src/slack/listeners/attend.ts";
import { quietLog } from "../changes/build.ts";
import { startListening } from "./start-listening.ts";

test("a form is handled while lines wait for their turn, since its handler acknowledges it", async () => {
  const { ports } = await startListening();
  const done = async () => undefined;
  const handling = new PQueue({ autoStart: false });
  const given = {
    ...{ replies: ports.replies, handling, inFlight: createInFlight(), log: quietLog },
    floodGuard: { allow: () => true, waitMs: () => 0 },
    receipts: { record: done, end: done, close: done, leave: done, stop: done },
  };
  const origin = { userId: "U03CAROL", channelId: "C0OPS", responseUrl: undefined, arrivedAt: performance.now() };
  const handled: string[] = [];
  const handle = (what: string) => async () => void handled.push(what);
  const line = attend(given, origin, handle("line"), { recorded: () => handled.push("acknowledged") });
  await attend(given, origin, handle("form"));
  expect(handled).toEqual(["acknowledged", "form"]);
  handling.start();
  await line;
  expect(handled).toEqual(["acknowledged", "form", "line"]);
});
