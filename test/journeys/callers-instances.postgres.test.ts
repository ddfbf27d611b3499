import { expect, it, onTestFinished } from "vitest";
import { callLine } from "../support/as-caller.ts";
import { createGatedService } from "../support/gated-service.ts";
import { changesSentTo } from "../support/journey.ts";
import { startCurfew, unlimitedConfig } from "../support/start-curfew.ts";

it("a request of a pipeline is done once and answered alike at each of two instances", async () => {
  const curfew = await startCurfew({ config: unlimitedConfig });
  onTestFinished(() => curfew.stop());
  const gated = createGatedService(curfew.service);
  await curfew.app.stop();
  await curfew.restart({ service: gated.client });
  const other = await curfew.addInstance();
  const sent = changesSentTo(curfew);
  const line = "keep staging up for 1h";
  const first = callLine(curfew, line, { key: "deploy-7" });
  await gated.reached;
  const early = await callLine(other, line, { key: "deploy-7" });
  expect(early).toMatchObject({ status: 202, body: { outcome: "performing" } });
  expect(await callLine(other, "keep staging up for 2h", { key: "deploy-7" })).toMatchObject({ status: 409 });
  gated.open();
  const done = await first;
  expect(done).toMatchObject({ status: 200, body: { outcome: "succeeded", change: early.body.change } });
  const again = await callLine(other, line, { key: "deploy-7" });
  expect([again.status, again.body.change]).toEqual([200, done.body.change]);
  expect(sent()).toEqual(["CreateActionExclusion"]);
});

it("requests with one key at two instances together are all answered with what was done", async () => {
  const curfew = await startCurfew({ config: unlimitedConfig });
  onTestFinished(() => curfew.stop());
  const other = await curfew.addInstance();
  const sent = changesSentTo(curfew);
  const keys = Array.from({ length: 6 }, (_key, at) => `both-${at}`);
  for (const line of ["keep staging up for 1h --another", "keep staging up for 30h --another"]) {
    const ofLine = keys.map((key) => `${line} ${key}`);
    const answers = await Promise.all(
      ofLine.flatMap((key) =>
        [curfew, other].map((instance) => callLine(instance, line, { key: key.replaceAll(" ", "") })),
      ),
    );
    const texts = answers.map(({ body }) => JSON.stringify(body));
    expect(texts.filter((text) => /stood still|not-now/.test(text))).toEqual([]);
  }
  expect(sent()).toEqual(keys.map(() => "CreateActionExclusion"));
});
