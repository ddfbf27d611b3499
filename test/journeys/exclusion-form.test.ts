import { beforeEach, expect, it } from "vitest";
import type { Typed } from "../../src/sandbox/workspace/form-fields.ts";
import { cardOf, changesSentTo, fillIn, openForm, send, textOf } from "../support/journey.ts";
import { withOneBot } from "../support/one-bot.ts";

const hourMs = 3_600_000;
const instance = "/subscriptions/6f3c/resourceGroups/rg-demo/providers/Microsoft.Compute/virtualMachines/vm-demo-01";

withOneBot((curfew, clock) => {
  // Earlier exclusions have ended.
  beforeEach(() => void clock.advance(6 * hourMs));

  /** A time this many hours from now, on a whole minute as a picker returns it. */
  const inHours = (hours: number) => Math.floor((clock.now() + hours * hourMs) / 60_000) * 60;
  const complete = (): Record<string, Typed> => ({
    What: "i-0a1",
    "Resource type": "amazon-ec2-instance",
    Project: "Development (p-dev)",
    Until: inHours(3),
  });
  const lastCreate = () =>
    curfew().service.requests.findLast(({ operation }) => operation === "CreateActionExclusion")?.body;
  const answersTo = (who: string) =>
    curfew()
      .workspace.as(who)
      .messages("ops")
      .filter(({ ephemeralTo }) => ephemeralTo).length;
  const submit = async (who: string, values: Readonly<Record<string, Typed>>) => {
    const person = curfew().workspace.as(who);
    await fillIn(curfew(), who, values);
    return person.submit();
  };

  it("the exclusion form asks what, until when and why, with the usual length filled in", async () => {
    const { title, fields, values } = await openForm(curfew(), "alice", "exclude");
    expect(title).toBe("Keep running");
    expect(fields).toEqual(["What", "Or choose", "Until", "Why"]);
    const end = Number(values.Until?.selected_date_time) * 1000;
    expect(Math.abs(end - (clock.now() + 4 * hourMs))).toBeLessThan(2 * 60_000);
  });

  it("the exclusion form creates exactly the submitted exclusion and announces it", async () => {
    await openForm(curfew(), "alice", "exclude");
    const until = inHours(5);
    const { text, changeId } = await send(curfew(), "alice", {
      ...complete(),
      Effect: "Leave alone",
      Until: until,
      Name: "Load test",
      Why: "quarter's end",
    });
    expect(text).toContain("Leaving i-0a1 alone");
    expect(lastCreate()).toEqual({
      projectId: "p-dev",
      name: "Load test",
      isEnabled: true,
      expiryDate: new Date(until * 1000).toISOString(),
      resourceType: "amazon-ec2-instance",
      resourceIdentificationMethod: "by-resource-id",
      resourceIds: ["i-0a1"],
      processes: ["start-resource", "stop-resource"],
    });
    expect(textOf(await cardOf(curfew(), changeId))).toContain("\nquarter's end · ");
  });

  it.each([
    ["commas and blanks", "i-0a1, i-0a2 ,i-0a1"],
    ["lines", "i-0a1\ni-0a2\r\n\ni-0a2"],
    ["tabs, semicolons and bars", "i-0a1\ti-0a2;i-0a1|i-0a2"],
    ["quotes, as from a spreadsheet or a script", "\"i-0a1\",'i-0a2',“i-0a1”"],
    ["the name of a resource group", "Staging"],
    ["a group and one of its members", "i-0a1 staging"],
  ])("the exclusion form reads ids given by %s, each once and in order", async (_how, pasted) => {
    await openForm(curfew(), "alice", "exclude");
    await send(curfew(), "alice", { ...complete(), What: pasted });
    expect(lastCreate()).toMatchObject({ resourceIds: ["i-0a1", "i-0a2"] });
  });

  it("the exclusion form accepts ids with slashes and colons", async () => {
    await openForm(curfew(), "carol", "exclude");
    await send(curfew(), "carol", {
      ...complete(),
      What: instance,
      "Resource type": "azure-virtual-machine",
    });
    expect(lastCreate()).toMatchObject({ resourceIds: [instance], resourceType: "azure-virtual-machine" });
  });

  it.each([
    ["Until", "a moment that has passed", () => ({ Until: inHours(-1) }), "That moment has already passed."],
    [
      "Until",
      "more than anyone may",
      () => ({ Until: inHours(24 * 15) }),
      "Nothing is kept for more than 14 d in a row",
    ],
    ["What", "nothing but separators", () => ({ What: ", ;\n" }), "This is needed."],
    ["What", "too many ids", () => ({ What: manyIds(201) }), "That is 201 resources; at most 200 are"],
    ["What", "what cannot be an id", () => ({ What: "<i-1>" }), "does not look like a resource id."],
  ])("the exclusion form stays open with an error at %s for %s", async (field, _what, values, error) => {
    await openForm(curfew(), "carol", "exclude");
    const sent = changesSentTo(curfew());
    const outcome = await submit("carol", { ...complete(), Name: "Kept", ...values() });
    expect(outcome).toMatchObject({ kind: "errors", errors: { [field]: expect.stringContaining(error) } });
    expect(curfew().workspace.as("carol").openView()?.values.Name).toMatchObject({ value: "Kept" });
    expect(sent()).toEqual([]);
    await send(curfew(), "carol", complete());
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it.each([
    ["another project", { Project: "p-prod" }, "only in Development. This is in p-prod"],
    ["another type", { What: "vol-1", "Resource type": "amazon-ebs-volume" }, "only for EC2. This is EBS"],
    ["a longer time", { Until: "25h" }, "for at most 1 d"],
  ])("the exclusion form refuses what the sender's role does not allow: %s", async (_what, values, why) => {
    await openForm(curfew(), "alice", "exclude");
    const sent = changesSentTo(curfew());
    const until = "Until" in values ? { Until: inHours(25) } : {};
    const outcome = await submit("alice", { ...complete(), ...values, ...until });
    expect(outcome).toEqual({ kind: "updated" });
    const { text = "" } = curfew().workspace.as("alice").openView() ?? {};
    expect(text).toMatch(new RegExp(`You can .*(${why}).* Ask <@U03CAROL>\\.`));
    expect(sent()).toEqual([]);
  });

  it("the exclusion form creates one exclusion when sent twice, even while the first is pending", async () => {
    await openForm(curfew(), "alice", "exclude");
    const sent = changesSentTo(curfew());
    curfew().service.faults.next({ kind: "latency", operation: "CreateActionExclusion", ms: 150 });
    const { workspace } = curfew();
    const [earlier, answersBefore] = [workspace.appRequests.length, answersTo("alice")];
    const first = send(curfew(), "alice", complete());
    const submission = await workspace.waitFor(() =>
      workspace.appRequests.slice(earlier).find(({ type, answer }) => type === "view_submission" && answer),
    );
    expect(await workspace.redeliver(submission)).toEqual({ ok: true });
    await first;
    expect(await workspace.redeliver(submission)).toEqual({ ok: true });
    await workspace.waitFor(() => answersTo("alice") === answersBefore + 3, { what: "three answers" });
    expect(sent()).toEqual(["CreateActionExclusion"]);
  });

  it("the exclusion form reopens with the same values after a service error", async () => {
    await openForm(curfew(), "alice", "exclude");
    curfew().service.faults.next({ kind: "status", operation: "CreateActionExclusion", status: 400 });
    const failed = await send(curfew(), "alice", {
      ...complete(),
      Name: "Kept",
      Why: "because",
      Effect: "Keep off",
    });
    const alice = curfew().workspace.as("alice");
    await alice.press("Change and try again…", failed.message);
    const { values } = await curfew().workspace.waitFor(() => alice.openView());
    expect(values).toMatchObject({
      What: { value: "i-0a1" },
      "Resource type": { selected_option: { value: "amazon-ec2-instance" } },
      Project: { selected_option: { value: "p-dev" } },
      Effect: { selected_option: { value: "start" } },
      Name: { value: "Kept" },
      Why: { value: "because" },
    });
    expect((await send(curfew(), "alice")).text).toContain("Keeping i-0a1 off");
  });
});

function manyIds(count: number): string {
  return Array.from({ length: count }, (_none, index) => `i-${index}`).join(" ");
}
