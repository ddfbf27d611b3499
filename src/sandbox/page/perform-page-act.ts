import { instantOf } from "../../time/wall-clock.ts";
import { type Sandbox, seedPerson, viewerOf } from "../sandbox.ts";
import type { Person } from "../workspace/driver/person.ts";
import type { Typed } from "../workspace/driver/typed-value.ts";
import type { DeliveryOutcome } from "../workspace/interactions/exchange.ts";
import { drawOption } from "./draw/draw-element.ts";
import type { HeldValue, PageAct } from "./page-act.ts";
import type { ActAnswer } from "./wire.ts";

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
      const viewer = viewerOf(sandbox, handle);
      return { ok: true, options: options.map(({ option }) => drawOption(option, { viewer })) };
    }
    case "submit":
      return submit(person, act.viewId);
    case "close":
      requireOnTop(person, act.viewId);
      await person.cancel(act.isAll);
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

async function submit(person: Person, viewId: string): Promise<ActAnswer> {
  requireOnTop(person, viewId);
  const outcome = await person.submit();
  return outcome.kind === "failed"
    ? answerTo({ ok: false, shown: outcome.shown })
    : { ok: true, outcome: outcome.kind };
}

/** The page may be slightly out of date. */
function requireOnTop(person: Person, viewId: string): void {
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
