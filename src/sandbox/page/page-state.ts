import { channelsOf, membershipOf, type Sandbox, seedPerson, viewerOf } from "../sandbox.ts";
import type { Viewer } from "../workspace/render/format-date.ts";
import type { StoredMessage } from "../workspace/state/messages.ts";
import { activityOf } from "./panel/activity.ts";
import { clockStops } from "./panel/clock-stops.ts";
import { createTimeFormat, serviceTables } from "./panel/service-tables.ts";
import { switchesOf } from "./perform-acts.ts";
import {
  type AppShown,
  type Conversation,
  type PageParts,
  type PersonShown,
  partNames,
  type ShownView,
} from "./wire.ts";

export interface SentEvent {
  readonly name: keyof PageParts | "conversation";
  /** A later event replaces an earlier one with the same key. */
  readonly key: string;
  readonly data: unknown;
}

/** The complete state of one viewer's page: everything a person may read, and nothing else. */
export function pageEvents(sandbox: Sandbox, handle: string): readonly SentEvent[] {
  const parts = partsFor(sandbox, handle);
  const conversations = conversationsOf(sandbox, handle).map(
    (data): SentEvent => ({ name: "conversation", key: `conversation ${data.where}`, data }),
  );
  return [...conversations, ...partNames.map((name) => ({ name, key: name, data: parts[name] }))];
}

function partsFor(sandbox: Sandbox, handle: string): PageParts {
  const { workspace, service, clock } = sandbox;
  const people = peopleShown(sandbox);
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
function peopleShown({ seed }: Sandbox): readonly PersonShown[] {
  return seed.people
    .filter(({ isBot, deleted }) => isBot !== true && deleted !== true)
    .map((person) => {
      const groups = seed.userGroups.filter(({ members }) => members.includes(person.handle));
      const remarks = [...membershipOf(person, seed.team.id), ...groups.map(({ handle }) => `@${handle}`)];
      const { id, handle, realName: name, tz: zone = "UTC", tries = [] } = person;
      return { id, handle, name, zone, remarks, tries };
    });
}

function appShown({ workspace, seed }: Sandbox): AppShown {
  const { name, commands, shortcuts, functions } = workspace.manifest;
  const hasStep = (step: string) => functions.some(({ callbackId }) => callbackId === step);
  return {
    name,
    commands: commands.map(({ command, description, usageHint }) => ({ command, description, usageHint })),
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
