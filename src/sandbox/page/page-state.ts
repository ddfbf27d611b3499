import { oncePer } from "../../time/once-per.ts";
import { momentOf, readClock } from "../../time/wall-clock.ts";
import { channelsOf, membershipOf, type Sandbox, seedPerson, viewerOf } from "../sandbox.ts";
import type { WorkspaceSeed } from "../workspace/default-seed.ts";
import type { Typed } from "../workspace/form-fields.ts";
import type { DeliveryOutcome } from "../workspace/live-workspace.ts";
import type { Viewer } from "../workspace/mrkdwn.ts";
import type { Person } from "../workspace/person.ts";
import type { StoredMessage } from "../workspace/state.ts";
import { activityOf, clockStops, createTimeFormat, serviceTables } from "./panel.ts";
import type {
  ActAnswer,
  AppShown,
  Conversation,
  HeldValue,
  PageAct,
  PageParts,
  PanelAct,
  PersonShown,
  ShownView,
  Switches,
} from "./wire.ts";

/** The state of one viewer's page: all that a person may read, and nothing else. A later event replaces one with its key. */
export function pageEvents(sandbox: Sandbox, handle: string) {
  const conversations = conversationsOf(sandbox, handle).map((data) => ({
    name: "conversation",
    key: `conversation ${data.where}`,
    data,
  }));
  const parts = Object.entries(partsFor(sandbox, handle)).map(([key, data]) => ({
    name: "part",
    key,
    data: { [key]: data },
  }));
  return [...conversations, ...parts];
}

function partsFor(sandbox: Sandbox, handle: string): PageParts {
  const { workspace, service, clock } = sandbox;
  const people = peopleShown(sandbox.seed);
  const { id } = seedPerson(sandbox, handle);
  const viewer = people.find((person) => person.id === id);
  if (viewer === undefined) throw new Error(`${handle} has no Slack client; act as another person.`);
  const person = workspace.as(id);
  const home = person.home();
  const reader = readerOf(sandbox, handle);
  return {
    app: appShown(sandbox),
    people,
    viewer,
    names: namesFor(sandbox, reader),
    places: person.conversations(),
    view: viewShown(sandbox, handle),
    home: home === undefined ? null : { blocks: home.blocks, state: home.state },
    tables: serviceTables(sandbox, createTimeFormat(viewer.zone)),
    activity: activityOf(sandbox, reader),
    service: { baseUrl: service.baseUrl, apiKey: service.apiKey },
    clock: { aheadMs: clock.aheadMs, stops: clockStops(sandbox) },
    switches: switchesOf(sandbox),
  };
}

/** The people with a Slack client, as whom one can act. */
const peopleShown = oncePer((seed: WorkspaceSeed): readonly PersonShown[] =>
  seed.people
    .filter(({ isBot, deleted }) => isBot !== true && deleted !== true)
    .map((person) => {
      const groups = seed.userGroups.filter(({ members }) => members.includes(person.handle));
      const remarks = [...membershipOf(person, seed.team.id), ...groups.map(({ handle }) => `@${handle}`)];
      const { id, handle, realName: name, tz: zone = "UTC", tries = [] } = person;
      return { id, handle, name, zone, remarks, tries };
    }),
);

function appShown({ workspace, seed }: Sandbox): AppShown {
  const { name, commands, shortcuts, functions } = workspace.manifest;
  const hasStep = (step: string) => functions.some(({ callback_id }) => callback_id === step);
  return {
    name,
    commands: commands.map(({ command, description, usage_hint }) => ({ command, description, usageHint: usage_hint })),
    shortcuts: shortcuts.map((shortcut) => ({ name: shortcut.name, kind: shortcut.type })),
    workflows: (seed.workflows ?? []).filter(({ step }) => hasStep(step)).map((workflow) => workflow.name),
  };
}

function conversationsOf(sandbox: Sandbox, handle: string): readonly Conversation[] {
  const person = sandbox.workspace.as(handle);
  const { nameOf } = viewerOf(sandbox, handle);
  const authorOf = ({ userId }: StoredMessage) =>
    sandbox.seed.people.find(({ id }) => id === userId)?.realName ?? nameOf(userId);
  return person.conversations().map(({ where }) => ({
    where,
    messages: person.messages(where).map((message) => {
      const { channelId, ts, userId, text, blocks, threadTs, isEdited, ephemeralTo, isFromApp } = message;
      return {
        channelId,
        ts,
        at: Math.floor(Number(ts) * 1000),
        from: authorOf(message),
        fromKind: isFromApp ? "app" : userId === "USLACK" ? "slack" : "person",
        isOnlyForYou: ephemeralTo !== undefined,
        isEdited,
        ...(threadTs === undefined || threadTs === ts ? {} : { threadTs }),
        text,
        blocks,
        state: person.stateOf(message),
      };
    }),
  }));
}

function viewShown({ workspace }: Sandbox, handle: string): ShownView | null {
  const view = workspace.as(handle).openView();
  if (view === undefined) return null;
  const { id, title, submit, close, blocks, state, blockErrors: errors } = view;
  return { id, title, submit, close: close ?? "Cancel", blocks, state, errors };
}

function namesFor({ seed, workspace }: Sandbox, { nameOf }: Viewer): PageParts["names"] {
  const ids = [...seed.people, ...seed.channels, ...seed.userGroups].map(({ id }) => id);
  return Object.fromEntries([...ids, workspace.botUserId].map((id) => [id, nameOf(id)]));
}

/** Hides the name of a private channel from people who are not in it (PLATFORM.md §10). */
function readerOf(sandbox: Sandbox, handle: string): Viewer {
  const viewer = viewerOf(sandbox, handle);
  const mine = channelsOf(sandbox, handle);
  const hidden = sandbox.seed.channels.filter(({ name, isPrivate }) => isPrivate === true && !mine.includes(name));
  const isHidden = (of: string) => hidden.some(({ id }) => id === of);
  return { ...viewer, nameOf: (of) => (isHidden(of) ? "private-channel" : viewer.nameOf(of)) };
}

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
      return outcome.kind === "failed" ? answerTo({ ok: false, shown: outcome.shown }) : { ok: true };
    }
    case "close":
      requireOpen(person, act.viewId);
      await person.cancel();
      return { ok: true };
    case "shortcut":
      return answerTo(await (act.message ? person.messageShortcut(act.name, act.message) : person.shortcut(act.name)));
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

/** Converts a moment from the viewer's clock. A time skipped by daylight saving becomes the first one after it. */
function typedFor(value: HeldValue, zone = "UTC"): Typed {
  if (value === null || typeof value === "string" || !("date" in value)) return value;
  const [year = 0, month = 1, day = 1] = value.date.split("-").map(Number);
  const at = momentOf({ year, month, day, hour: 0, minute: 0, ...readClock(value.time) }, zone);
  return Math.floor(at / 1000);
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
function switchesOf({ service, workspace }: Sandbox): Switches {
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
