import { describe, expect, it } from "vitest";
import { ask, openForm, send } from "../support/journey.ts";
import { lastBody, oneBot } from "../support/one-bot.ts";
import { unlimitedConfig } from "../support/start-curfew.ts";

const line = "plan create Office --project p-dev --days weekdays --start 8:00 --zone UTC";
const parametersIn = (body: unknown) => (typeof body === "object" && body ? Object(body).parameters : undefined);

describe("where the service counts stop times of the day", () => {
  const { curfew } = oneBot({ config: unlimitedConfig.replace("stopTime: afterStart", "stopTime: ofDay") });

  it("a stop at 18:30 is sent as the seconds since midnight", async () => {
    await ask(curfew(), "carol", `${line} --stop 18:30`);
    expect(parametersIn(lastBody(curfew(), "CreateManagedServicesPlan"))).toEqual({
      startStopMode: "start-stop-combined",
      stopTimeInSeconds: 18.5 * 3600,
    });
  });

  it("a length is counted from the start", async () => {
    await ask(curfew(), "carol", `${line} --stop-after 9h30m`);
    expect(parametersIn(lastBody(curfew(), "CreateManagedServicesPlan"))).toMatchObject({
      stopTimeInSeconds: 17.5 * 3600,
    });
  });
});

describe("where it is not known what the service counts stop times from", () => {
  const { curfew } = oneBot({
    config: unlimitedConfig.replace("  stopTime: afterStart\n", "").replace("\nservice:\n", "\n"),
  });

  it("the form asks for the length from start to stop, and says why", async () => {
    const form = await openForm(curfew(), "carol", line);
    expect(form.text).toContain("*Stop after* is missing.");
    expect(form.text).toContain("Curfew doesn't know what the service counts stop times from");
    expect(form.fields).not.toContain("Stop at");
    expect((await send(curfew(), "carol", { "Stop after": "10h 30m" })).text).toContain("You created plan Office");
    expect(parametersIn(lastBody(curfew(), "CreateManagedServicesPlan"))).toMatchObject({
      stopTimeInSeconds: 10.5 * 3600,
    });
  });

  it("a time of day on a line is not guessed at", async () => {
    const form = await openForm(curfew(), "carol", `${line} --stop 18:30`);
    expect(form.text).toContain("*Stop after* is missing. Nothing was changed yet");
  });
});
