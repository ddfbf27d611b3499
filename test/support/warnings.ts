import type { Action } from "../../src/sandbox/service/account.ts";
import type { StoredMessage } from "../../src/sandbox/workspace/state.ts";
import type { Clock } from "./clock.ts";
import { cardsIn, textOf } from "./journey.ts";
import { type Curfew, unlimitedConfig } from "./start-curfew.ts";

/** Two groups with their actions, and warnings to #ops of what stops in Development. */
export const warningConfig = unlimitedConfig
  .replace(
    /^ {2}staging: .*\n/m,
    [
      "  staging: { type: amazon-ec2-instance, project: p-dev, ids: [i-0a1, i-0a2], actions: [a-staging] }\n",
      "  build: { type: amazon-ec2-instance, project: p-dev, ids: [i-0b1], actions: [a-build] }\n",
    ].join(""),
  )
  .replace(/^ {2}- \{ projects: \[p-dev\], processes: \[stop\], before: 30m, channel: C0OPS, .*\n/m, (entry) =>
    entry.replace(', quiet: "22:00-07:00"', ""),
  );

const dayMs = 86_400_000;

/** In winter. */
export const warningStart = Date.parse("2026-11-23T06:00:00Z");

export function only<T>(all: readonly T[]): T {
  const [one, ...others] = all;
  if (one === undefined || others.length > 0) throw new Error(`There are ${all.length}, not one.`);
  return one;
}

/** The service's actions, and the time of day in Berlin in winter, for tests of warnings. Each test has a day of its own. */
export function warningDay(curfew: () => Curfew, clock: Clock) {
  let midnight = 0;
  let template: Action | undefined;
  const poll = async () => {
    await curfew().app.watch();
    await curfew().app.idle();
  };
  const warnings = (channel = "ops"): readonly StoredMessage[] =>
    cardsIn(curfew().workspace, channel).filter(
      (message) => /^:(?:alarm_clock|white_circle): .*<!date/.test(textOf(message)) && !message.text.includes("chg-"),
    );
  const at = (time: string, days = 0) => midnight + days * dayMs + Date.parse(`1970-01-01T${time}:00+01:00`);
  return {
    poll,
    /** On the test's day, or so many days later. */
    at,
    /** Moves the clock there, and lets Curfew read the service. */
    pollAt: async (time: string, days = 0) => {
      clock.advance(at(time, days) - clock.now());
      await poll();
    },
    /** Goes to the next morning, with these actions alone. Gives the warnings in #ops since. */
    begin: async (...actions: readonly Action[]) => {
      midnight = Math.floor(clock.now() / dayMs + 1) * dayMs;
      clock.advance(at("08:00") - clock.now());
      const { account } = curfew().service;
      account.actions.clear();
      for (const action of actions) account.actions.set(action.actionId, action);
      await poll();
      const before = warnings().length;
      return () => warnings().slice(before);
    },
    /** Stops EC2 machines in Development every day, at a time in Berlin. */
    action: (id: string, timeOfDay: string, more: Partial<Action> = {}): Action => {
      template ??= curfew().service.account.actions.get("a-00000002");
      if (!template) throw new Error("The seed has no such action.");
      const name = `Stop ${id.replace("a-", "")}`;
      return { ...template, actionId: id, name, tags: [], schedule: dailyAt(timeOfDay), ...more };
    },
    change: (id: string, more: Partial<Action>) => {
      const { actions } = curfew().service.account;
      const action = actions.get(id);
      if (action) actions.set(id, { ...action, ...more });
    },
    /** The warnings in a channel, oldest first. */
    warnings,
  };
}

export const dailyAt = (timeOfDay: string, timeZoneId = "Europe/Berlin"): Action["schedule"] => ({
  startDate: "2025-03-01",
  scheduleType: "daily",
  timeOfDay: `${timeOfDay}:00`,
  timeZoneId,
  parameters: { days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] },
});
