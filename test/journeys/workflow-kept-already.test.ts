import { afterEach, describe, expect, it } from "vitest";
import { callLine } from "../support/as-caller.ts";
import { ask, changesSentTo } from "../support/journey.ts";
import type { Curfew } from "../support/start-curfew.ts";
import { configWithSteps, errorOf, outputsOf, startWithSteps } from "../support/workflow-steps.ts";

describe("the step that keeps machines running, where carol keeps them running already", () => {
  let curfew: Curfew;
  let kept: { id: string; expiryDate: string };
  const inForce = () => [...curfew.service.account.exclusions.values()];
  const endsAt = () =>
    Date.parse(inForce().find(({ actionExclusionId }) => actionExclusionId === kept.id)?.expiryDate ?? "");
  const keep = async () => {
    const before = new Set(inForce().map(({ actionExclusionId }) => actionExclusionId));
    await ask(curfew, "carol", "keep staging up for 3h");
    const made = inForce().find(({ actionExclusionId }) => !before.has(actionExclusionId));
    kept = { id: made?.actionExclusionId ?? "", expiryDate: made?.expiryDate ?? "" };
  };
  const start = async (where = "") => {
    curfew = await startWithSteps({ config: configWithSteps("", where) });
    await keep();
    return changesSentTo(curfew);
  };
  afterEach(() => curfew.stop());

  it("succeeds if they are kept at least that long, and says by whom and until when", async () => {
    const sent = await start();
    const outputs = await outputsOf(curfew, "keep_running", { resource_ids: "staging", until: "2h" });
    expect(outputs).toEqual({
      exclusion_id: kept.id,
      ends_at: Math.floor(Date.parse(kept.expiryDate) / 1000),
      outcome: expect.stringMatching(/^staging is kept running already until .*, by carol\. Nothing was changed\./),
    });
    const same = await outputsOf(curfew, "extend_exclusion", {
      exclusion: kept.id,
      until_time: Math.floor(endsAt() / 1000),
    });
    expect(same).toMatchObject({
      exclusion_id: kept.id,
      outcome: expect.stringContaining("already. Nothing was changed"),
    });
    expect(sent()).toEqual([]);
    expect((await callLine(curfew, "keep staging up for 2h")).body).toMatchObject({
      ...{ outcome: "answered", exclusion: kept.id, endsAt: new Date(kept.expiryDate).toISOString() },
    });
  });

  it("extends that exclusion if it asks for longer, as far as its role may", async () => {
    const sent = await start();
    const inputs = { resource_ids: "staging", until: "5h", reason: "release 4" };
    const outputs = await outputsOf(curfew, "keep_running", inputs);
    expect(sent()).toEqual(["ModifyActionExclusion"]);
    expect(outputs).toMatchObject({ exclusion_id: kept.id, change_id: expect.any(String) });
    expect(Number(outputs.ends_at)).toBe(Math.floor(endsAt() / 1000));
    expect(endsAt() - Date.parse(kept.expiryDate)).toBeGreaterThan(7_000_000);
    expect((await ask(curfew, "carol", `history ${outputs.change_id}`)).text).toContain("release 4");
  });

  it.each([
    [
      ", where: { own: true }",
      /already until .*, by carol\. Nothing was changed\. To make another one, set “Another one”/,
    ],
    [", where: { maxExclusion: 4h }", /already until .*, by carol\..*4 h/s],
  ])("else says who keeps them running, with a role %s", async (where, said) => {
    const sent = await start(where);
    expect(await errorOf(curfew, "keep_running", { resource_ids: "staging", until: "5h" })).toMatch(said);
    expect(sent()).toEqual([]);
  });
});
