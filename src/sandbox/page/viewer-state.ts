import { channelsOf, membershipOf, type Sandbox, seedPerson, viewerOf } from "../sandbox.ts";
import type { OpenView } from "../workspace/driver/open-view.ts";
import type { Viewer } from "../workspace/render/viewer.ts";
import { drawBlocks } from "./draw/draw-block.ts";
import type { DrawContext } from "./draw/draw-context.ts";
import { drawMessage } from "./draw/draw-message.ts";
import type { AppShown, Conversation, DrawnBlock, DrawnView, PersonShown } from "./wire.ts";

/** The people with a Slack client, as whom one can act. */
export function peopleShown({ seed }: Sandbox): readonly PersonShown[] {
  return seed.people
    .filter(({ isBot, deleted }) => isBot !== true && deleted !== true)
    .map((person) => {
      const groups = seed.userGroups.filter(({ members }) => members.includes(person.handle));
      const remarks = [...membershipOf(person, seed.team.id), ...groups.map(({ handle }) => `@${handle}`)];
      return { id: person.id, handle: person.handle, name: person.realName, zone: person.tz ?? "UTC", remarks };
    });
}

export function appShown({ workspace, seed }: Sandbox): AppShown {
  const { name, commands, shortcuts, functions } = workspace.manifest;
  const hasStep = (step: string) => functions.some(({ callbackId }) => callbackId === step);
  return {
    name,
    commands: commands.map(({ command, description, usageHint }) => ({ command, description, usageHint })),
    shortcuts: shortcuts.map((shortcut) => ({ name: shortcut.name, kind: shortcut.type })),
    workflows: (seed.workflows ?? []).filter(({ step }) => hasStep(step)).map((workflow) => workflow.name),
  };
}

/** Everything a person may read, and nothing else. */
export function conversationsOf(sandbox: Sandbox, handle: string): readonly Conversation[] {
  const person = sandbox.workspace.as(handle);
  const context = contextFor(sandbox, handle);
  return person.conversations().map(({ where }) => ({
    where,
    messages: person
      .messages(where)
      .map((message) => drawMessage(message, { ...context, state: person.stateOf(message) })),
  }));
}

/** The open modals, topmost last. */
export function viewsOf(sandbox: Sandbox, handle: string): readonly DrawnView[] {
  const context = contextFor(sandbox, handle);
  return sandbox.workspace
    .as(handle)
    .openViews()
    .map((view) => ({
      id: view.id,
      title: view.title,
      submit: view.submit,
      close: view.close ?? "Cancel",
      blocks: drawView(view, context),
    }));
}

export function homeOf(sandbox: Sandbox, handle: string): readonly DrawnBlock[] | null {
  const view = sandbox.workspace.as(handle).home();
  return view === undefined ? null : drawView(view, contextFor(sandbox, handle));
}

function drawView({ blocks, state, blockErrors }: OpenView, context: DrawContext): readonly DrawnBlock[] {
  return drawBlocks(blocks, { ...context, state, errors: blockErrors });
}

/** Hides the name of a private channel from people who are not in it (PLATFORM.md §10). */
export function viewerInPage(sandbox: Sandbox, handle: string): Viewer {
  const viewer = viewerOf(sandbox, handle);
  const seen = channelsSeen(sandbox, handle);
  const hidden = new Set(sandbox.seed.channels.filter((each) => !seen.includes(each)).map(({ id }) => id));
  return { ...viewer, nameOf: (of) => (hidden.has(of) ? "private-channel" : viewer.nameOf(of)) };
}

function channelsSeen(sandbox: Sandbox, handle: string): Sandbox["seed"]["channels"] {
  const mine = channelsOf(sandbox, handle);
  return sandbox.seed.channels.filter(({ name, isPrivate }) => isPrivate !== true || mine.includes(name));
}

function contextFor(sandbox: Sandbox, handle: string): DrawContext {
  const { seed } = sandbox;
  const { id } = seedPerson(sandbox, handle);
  const viewer = viewerInPage(sandbox, handle);
  return {
    viewer,
    authorOf: (userId) => seed.people.find((person) => person.id === userId)?.realName ?? viewer.nameOf(userId),
    state: {},
    errors: {},
    people: seed.people
      .filter((person) => person.deleted !== true)
      .map((person) => ({ value: person.id, text: person.id === id ? `${person.realName} (you)` : person.realName })),
    channels: channelsSeen(sandbox, handle).map(({ id: value, name, isPrivate }) => ({
      ...{ value, text: `#${name}`, kind: isPrivate ? "private" : "public" },
    })),
  };
}
