import { instantOf } from "../../time/wall-clock.ts";
import { type Sandbox, seedPerson } from "../sandbox.ts";
import type { Person } from "../workspace/driver/person.ts";
import type { Typed } from "../workspace/driver/typed-value.ts";
import type { DeliveryOutcome } from "../workspace/live-workspace.ts";
import type { PageAct, PanelAct } from "./acts.ts";
import type { ActAnswer, HeldValue, Switches } from "./wire.ts";

/** Performs an act at the viewer's client. Throws when the client does not allow it. */
export async function performPageAct(sandbox: Sandbox, handle: string, act: PageAct): Promise<ActAnswer> {
  const person = sandbox.workspace.as(handle);
  switch (act.kind) {
    case "type":
      // A failed command shows as Slack's notice in the channel.
      await person.type(act.text, act.where, act.threadTs);
      return { ok: true };
    case "press":
      return answerTo(await person.pressAt(act, act.on, act.option));
    case "set":
      return answerTo(
        await person.set(act, typedFor(act.value, seedPerson(sandbox, handle).tz), act.on, act.isEntered),
      );
    case "search": {
      const options = await person.search(act, act.query, act.on);
      return { ok: true, options: options.map(({ option }) => option) };
    }
    case "submit": {
      requireOpen(person, act.viewId);
      const outcome = await person.submit();
      return outcome.kind === "failed"
        ? answerTo({ ok: false, shown: outcome.shown })
        : { ok: true, outcome: outcome.kind };
    }
    case "close":
      requireOpen(person, act.viewId);
      await person.cancel(act.isByX);
      return { ok: true };
    case "shortcut":
      return answerTo(await runShortcut(person, act));
    case "home":
      return answerTo(await person.openHome());
    case "workflow":
      return answerTo(await person.workflow(act.name, act.where));
    default:
      return act satisfies never;
  }
}

function answerTo(outcome: DeliveryOutcome): ActAnswer {
  return outcome.ok ? { ok: true } : { ok: false, error: `Curfew did not answer correctly (${outcome.shown}).` };
}

/** The page may be slightly out of date. */
function requireOpen(person: Person, viewId: string): void {
  if (person.openView()?.id !== viewId) throw new Error("This form is no longer open.");
}

function runShortcut(
  person: Person,
  { name, message }: Extract<PageAct, { kind: "shortcut" }>,
): Promise<DeliveryOutcome> {
  if (message === undefined) return person.shortcut(name);
  const seen = person
    .conversations()
    .flatMap(({ where }) => person.messages(where))
    .find(({ channelId, ts }) => channelId === message.channelId && ts === message.ts);
  if (seen === undefined) throw new Error("The message is gone.");
  return person.messageShortcut(name, seen);
}

/** Converts a moment from the viewer's clock. A time skipped by daylight saving becomes the first one after it. */
function typedFor(value: HeldValue, zone = "UTC"): Typed {
  if (value === null || typeof value === "string" || !("date" in value)) return value;
  const [year = 0, month = 1, day = 1] = value.date.split("-").map(Number);
  const [hour = 0, minute = 0] = value.time.split(":").map(Number);
  const instant = instantOf({ year, month, day, hour, minute }, zone);
  return Math.floor((instant.kind === "instant" ? instant.at : instant.resumesAt) / 1000);
}

const slowMs = 4000;
const limitedCalls = 3;

/** Moves the clock, or replaces all planned faults of the service or of Slack. */
export async function performPanelAct({ workspace, service, clock }: Sandbox, act: PanelAct): Promise<void> {
  if (act.kind === "clock") return clock.moveTo(act.to);
  if (act.kind === "slack") {
    const { faults } = workspace;
    faults.clear();
    if (act.fault === "down") faults.down();
    if (act.fault === "limited") faults.failNext("*", { retryAfterSeconds: 2, times: limitedCalls });
    return;
  }
  const { faults } = service;
  faults.clear();
  if (faults.isDown && act.fault !== "down") await faults.up();
  if (act.fault === "down" && !faults.isDown) await faults.down();
  if (act.fault === "slow") faults.next({ kind: "latency", ms: slowMs, times: Number.POSITIVE_INFINITY });
  if (act.fault === "lost") faults.next({ kind: "reset-after", isForChanges: true });
}

/** The switch positions, derived from the planned faults. Faults planned by scripts show as `other`. */
export function switchesOf({ service, workspace }: Sandbox): Switches {
  const [ofService] = service.faults.planned;
  const [ofSlack] = workspace.faults.planned;
  const kinds: Readonly<Record<string, Switches["service"]>> = { latency: "slow", "reset-after": "lost" };
  const serviceFault = ofService === undefined ? "none" : (kinds[ofService.fault.kind] ?? "other");
  const isLimited = ofSlack?.fault.retryAfterSeconds !== undefined;
  const slackFault = ofSlack === undefined ? "none" : isLimited ? "limited" : "other";
  return {
    service: service.faults.isDown ? "down" : serviceFault,
    slack: workspace.faults.isDown ? "down" : slackFault,
  };
}
