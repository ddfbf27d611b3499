import { describe, expect, it, onTestFinished } from "vitest";
import type { Typed } from "../../src/sandbox/workspace/form-fields.ts";
import { ask, changesSentTo, messagesAfter, openForm, send } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const config = unlimitedConfig
  .replace(
    "- { id: p-prod, name: Production }",
    "- { id: p-prod, name: Production }\n    - { id: p-old, name: production }",
  )
  .replace(
    "      allow: [reads, CreateActionExclusion,",
    "      allow: [reads, CreateManagedServicesPlan, CreateActionExclusion,",
  )
  .replace("        resourceTypes: [amazon-ec2-instance] # about resources of one of these types\n", "");
const { curfew, clock } = oneBot({ config });
const lastPlan = () => lastBody(curfew(), "CreateManagedServicesPlan");
const line =
  'plan create "Night rest" --type start-stop-plan --project Development --days Mon,Fri --start 7:30 --stop 6:30pm';

/** Keeps only the actions with such a zone until the test ends, and lets the cached list expire. */
function useZones(isUsed: (zone: string) => boolean): void {
  const { actions } = curfew().service.account;
  const former = [...actions];
  onTestFinished(() => {
    for (const [id, action] of former) actions.set(id, action);
    clock.advance(11_000);
  });
  for (const [id, { schedule }] of actions) if (!isUsed(schedule.timeZoneId ?? "")) actions.delete(id);
  clock.advance(11_000);
}

describe("plan create", () => {
  it("by a line makes a start-stop plan, disabled and in the requester's zone by default", async () => {
    const { text, changeId } = await ask(curfew(), "carol", line);
    expect(text).toContain("You created plan Night rest");
    expect(lastPlan()).toEqual({
      name: "Night rest",
      planType: "start-stop-plan",
      projectId: "p-dev",
      schedule: {
        scheduleType: "daily",
        timeOfDay: "07:30:00",
        timeZoneId: "Europe/London",
        parameters: { days: ["monday", "friday"] },
      },
      parameters: { startStopMode: "start-stop-combined", stopTimeInSeconds: 39_600 },
      isEnabled: false,
    });
    expect((await ask(curfew(), "carol", `history ${changeId}`)).text).toMatch(
      /daily, Mon, Fri, 07:30, Europe\/London, UTC\+0[01]:00/,
    );
  });

  it("by a line makes a backup plan from validated JSON", async () => {
    const { text } = await ask(
      curfew(),
      "carol",
      `plan create Nightly --project p-prod --days sunday --start 02:00 --zone UTC --parameters '{"keep": {"days": 7}}' --enabled yes`,
    );
    expect(text).toContain("You created plan Nightly");
    expect(lastPlan()).toMatchObject({
      planType: "backup-plan",
      parameters: { keep: { days: 7 } },
      projectId: "p-prod",
      isEnabled: true,
    });
  });

  it("has a form whose fields follow the type and keep the typed text", async () => {
    const form = await openForm(curfew(), "carol", "plan create");
    expect(form.fields).toEqual([
      "Name",
      "Type",
      "Project",
      "Days",
      "Start at",
      "Stop at",
      "Time zone",
      "Enabled",
      "Reason",
    ]);
    const carol = curfew().workspace.as("carol");
    const typed: Record<string, Typed> = {
      Name: "Kept name",
      Project: "Development (p-dev)",
      Days: "Sat, Sun",
      "Start at": "03:15",
      "Time zone": "UTC",
      Enabled: "Yes",
      Reason: "kept too",
    };
    await carol.fill(typed);
    await carol.fill({ Type: "backup-plan" });
    const redrawn = await curfew().workspace.waitFor(() => {
      const view = carol.openView();
      return view?.fields.includes("Parameters (JSON)") ? view : undefined;
    });
    expect(redrawn.fields).not.toContain("Stop at");
    expect(redrawn.values).toMatchObject({
      Name: { value: "Kept name" },
      Project: { selected_option: { value: "p-dev" } },
      "Start at": { selected_time: "03:15" },
      "Time zone": { value: "UTC" },
      Enabled: { selected_option: { value: "yes" } },
      Reason: { value: "kept too" },
    });
    // What a choice takes away comes back with it.
    await carol.fill({ "Parameters (JSON)": '{"typed": "before"}' });
    await carol.fill({ Type: "start-stop-plan" });
    await curfew().workspace.waitFor(() => carol.openView()?.fields.includes("Stop at") || undefined);
    await carol.fill({ "Stop at": "04:15" });
    await carol.fill({ Type: "backup-plan" });
    const again = await curfew().workspace.waitFor(() => {
      const view = carol.openView();
      return view?.fields.includes("Parameters (JSON)") ? view : undefined;
    });
    expect(String(again.values["Parameters (JSON)"]?.value)).toContain('"before"');
    await carol.fill({ "Parameters (JSON)": "{not json" });
    expect(await carol.submit()).toMatchObject({
      kind: "errors",
      errors: { "Parameters (JSON)": expect.stringContaining("This is not JSON") },
    });
    expect((await send(curfew(), "carol", { "Parameters (JSON)": "{}" })).text).toContain("You created plan Kept name");
    expect(lastPlan()).toEqual({
      name: "Kept name",
      planType: "backup-plan",
      projectId: "p-dev",
      schedule: {
        scheduleType: "daily",
        timeOfDay: "03:15:00",
        timeZoneId: "UTC",
        parameters: { days: ["saturday", "sunday"] },
      },
      parameters: {},
      isEnabled: true,
    });
  });

  it("is refused for other projects and without a role, and nothing is sent", async () => {
    const sent = changesSentTo(curfew());
    const elsewhere = await ask(curfew(), "alice", line.replace("Development", "p-prod"));
    expect(elsewhere.text).toContain("only in Development. This is in p-prod");
    expect((await ask(curfew(), "dave", line)).text).toContain("You can't ");
    expect(sent()).toEqual([]);
    expect((await ask(curfew(), "alice", line)).text).toContain("You created plan Night rest");
  });

  it.each([
    ["--project “No such”", "Project", "Curfew knows no project called “No such”"],
    ["--days someday", "Days", "“someday” is not a day. Write them like Mon–Fri"],
    ["--start 25:00", "Start at", "is not a time of day"],
    ["--zone Europe/Berln", "Time zone", "Did you mean Europe/Berlin?"],
    ["--stop soon", "Stop at", "is not a time of day such as 19:00 or 7pm"],
  ])("with “%s” opens its form with an error at %s", async (wrong, field, problem) => {
    const flag = wrong.split(" ")[0] ?? "";
    const others = line.replace(new RegExp(`${flag} \\S+`), "");
    const { text } = await openForm(curfew(), "carol", `${others} ${wrong}`);
    expect(text).toContain(`:warning: *${field}*: `);
    expect(text).toContain(problem);
  });
});

it("plan create with an ambiguous project offers the candidates, and keeps the rest of the line", async () => {
  const { text, message } = await ask(curfew(), "carol", line.replace("Development", "Production"));
  expect(text).toContain("production (p-old), Production (p-prod)");
  const choose = () => curfew().workspace.as("carol").press("Production (p-prod)", message);
  expect((await messagesAfter(curfew(), "carol", choose)).text).toContain("You created plan Night rest");
  expect(lastPlan()).toMatchObject({ projectId: "p-prod", parameters: { stopTimeInSeconds: 39_600 } });
});

it("plan create asks for the project where it does not follow from anything, and says how it knew it where it does", async () => {
  const { text, message } = await ask(curfew(), "carol", line.replace("--project Development ", ""), "random");
  expect(text).toContain("New plan: Which project? Nothing was changed yet.");
  const choose = () => curfew().workspace.as("carol").press("Development", message);
  expect((await messagesAfter(curfew(), "carol", choose, "random")).text).toContain("You created plan Night rest");
  expect(lastPlan()).toMatchObject({ projectId: "p-dev" });
  const known = await ask(curfew(), "carol", line.replace("--project Development ", ""));
  expect(known.text).toContain("Project Development: this channel's.");
});

it("plan create reads days and times as people write them, and a stop before the start as the next day's", async () => {
  const { changeId } = await ask(
    curfew(),
    "carol",
    "plan create Nights --project p-dev --days Mon – Fri, Sun --start 10pm --stop 6am --zone UTC",
  );
  expect(lastPlan()).toMatchObject({
    schedule: {
      timeOfDay: "22:00:00",
      parameters: { days: ["monday", "tuesday", "wednesday", "thursday", "friday", "sunday"] },
    },
    parameters: { stopTimeInSeconds: 8 * 3600 },
  });
  expect((await ask(curfew(), "carol", `history ${changeId}`)).text).toContain("Stop time: 8 h (28800 s)");
});

describe("the time zone of a plan's schedule", () => {
  it("is sent as given while the service uses both kinds of ids", async () => {
    await ask(curfew(), "carol", `${line} --zone Europe/Berlin`);
    expect(lastPlan()).toMatchObject({ schedule: { timeZoneId: "Europe/Berlin" } });
    await ask(curfew(), "carol", `${line} --zone "Eastern Standard Time"`);
    expect(lastPlan()).toMatchObject({ schedule: { timeZoneId: "Eastern Standard Time" } });
  });

  it("is sent as a Windows id where only those are used, and the history names the city", async () => {
    useZones((zone) => zone.endsWith("Standard Time") || zone === "UTC");
    const { changeId } = await ask(curfew(), "carol", `${line} --zone Europe/Berlin`);
    expect(lastPlan()).toMatchObject({ schedule: { timeZoneId: "W. Europe Standard Time" } });
    expect((await ask(curfew(), "carol", `history ${changeId}`)).text).toMatch(
      /W\. Europe Standard Time \(Europe\/Berlin, UTC\+0[12]:00\)/,
    );
    await ask(curfew(), "carol", `${line} --zone "Tokyo Standard Time"`);
    expect(lastPlan()).toMatchObject({ schedule: { timeZoneId: "Tokyo Standard Time" } });
  });

  it("is sent as an IANA id where only those are used, and as given without schedules", async () => {
    const [first] = curfew().service.account.actions.values();
    if (first === undefined) throw new Error("The account has no action.");
    const schedule = { ...first.schedule, timeZoneId: "America/New_York" };
    useZones(() => false);
    curfew().service.account.actions.set(first.actionId, { ...first, schedule });
    await ask(curfew(), "carol", `${line} --zone "Tokyo Standard Time"`);
    expect(lastPlan()).toMatchObject({ schedule: { timeZoneId: "Asia/Tokyo" } });
    useZones(() => false);
    await ask(curfew(), "carol", `${line} --zone "Tokyo Standard Time"`);
    expect(lastPlan()).toMatchObject({ schedule: { timeZoneId: "Tokyo Standard Time" } });
  });

  it("is sent as given when the actions cannot be read", async () => {
    clock.advance(11_000);
    curfew().service.faults.next({ kind: "status", operation: "ListActions", status: 400 });
    curfew().service.faults.next({ kind: "status", operation: "ListActions", status: 400 });
    await ask(curfew(), "carol", `${line} --zone Europe/Berlin`);
    expect(lastPlan()).toMatchObject({ schedule: { timeZoneId: "Europe/Berlin" } });
  });
});
