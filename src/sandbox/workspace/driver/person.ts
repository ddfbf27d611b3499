import { blocksOn, choiceAction, pressAction, type Surface, sendBlockAction } from "../interactions/block-actions.ts";
import { closeView } from "../interactions/close-view.ts";
import { type DeliveryOutcome, delivered, type Exchange } from "../interactions/exchange.ts";
import { loadOptions, type ShownOption } from "../interactions/load-options.ts";
import { runCommand } from "../interactions/run-command.ts";
import { runGlobalShortcut, runMessageShortcut } from "../interactions/run-shortcut.ts";
import { runWorkflow } from "../interactions/run-workflow.ts";
import { deleteMessage, editMessage, sayInChannel } from "../interactions/say-in-channel.ts";
import { sendEvent } from "../interactions/send-event.ts";
import { submitView } from "../interactions/submit-view.ts";
import type { StoredMessage } from "../state/messages.ts";
import type { User } from "../state/people.ts";
import { type ViewRecord, viewPayload } from "../state/views.ts";
import type { StateValues } from "../validate/state-values.ts";
import { clientChecks } from "./client-checks.ts";
import type { Conversation } from "./conversation.ts";
import { channelFor, conversationsOf, visibleMessages } from "./conversations-of.ts";
import { createElementActions, type ElementActions } from "./element-actions.ts";
import { type ButtonHint, findButton } from "./find-button.ts";
import { fieldNamed } from "./form-fields.ts";
import { describeView, errorsByLabel, type OpenView } from "./open-view.ts";
import { findSurface, keepValue, type Place } from "./surface-of.ts";
import { type Typed, typedValue } from "./typed-value.ts";

export interface PressOptions extends ButtonHint {
  /** Answers no to the confirmation dialog. */
  readonly deny?: boolean;
  /** Presses this many times in parallel, like a double click. */
  readonly times?: number;
}

export type SubmitOutcome =
  | { readonly kind: "closed" | "updated" | "pushed" | "cleared" }
  /** By label: from the app (`errors`), or from the client, which then sent nothing (`blocked`). */
  | { readonly kind: "errors" | "blocked"; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: "failed"; readonly shown: string };

/** A person at a Slack client, who can do exactly what the client allows. */
export interface Person extends ElementActions {
  readonly id: string;
  /** The conversations in their sidebar. */
  conversations(): readonly Conversation[];
  /** Sends a slash command or a message, optionally in a thread. `where` is as in `conversations`. */
  type(text: string, where: string, threadTs?: string): Promise<DeliveryOutcome>;
  /** Changes a message of their own. */
  edit(message: StoredMessage, text: string): Promise<StoredMessage>;
  delete(message: StoredMessage): Promise<void>;
  /** The topmost modal. */
  openView(): OpenView | undefined;
  /** All modals, bottom first. */
  openViews(): readonly OpenView[];
  home(): OpenView | undefined;
  /** By label, placeholder or id. Sends what a client sends for each. */
  fill(values: Readonly<Record<string, Typed>>, on?: Place): Promise<void>;
  suggest(label: string, query: string, on?: Place): Promise<readonly ShownOption[]>;
  submit(): Promise<SubmitOutcome>;
  /** The Cancel button, or with `all` the X that closes every view. */
  cancel(all?: boolean): Promise<void>;
  press(text: string, on: Place, options?: PressOptions): Promise<DeliveryOutcome>;
  messages(where: string): readonly StoredMessage[];
  shortcut(name: string): Promise<DeliveryOutcome>;
  messageShortcut(name: string, message: StoredMessage): Promise<DeliveryOutcome>;
  openHome(): Promise<DeliveryOutcome>;
  /** Starts a workflow of the workspace from a channel. */
  workflow(name: string, where: string): Promise<DeliveryOutcome>;
}

export function createPerson(exchange: Exchange, id: string): Person {
  const { workspace } = exchange;
  const user = (): User => workspace.people.named(id);
  const choices = new Map<string, StateValues>();
  const top = (): ViewRecord => {
    const view = workspace.views.stackOf(id).at(-1);
    if (view === undefined) throw new Error(`${user().handle} has no view open.`);
    return view;
  };
  const surface = (place: Place): Surface => findSurface(exchange, user(), place, top, choices);
  const fillField = async (name: string, typed: Typed, place: Place): Promise<void> => {
    const field = fieldNamed(blocksOn(surface(place)), name);
    const load = (query: string) => loadOptions(exchange, user(), { surface: surface(place), ...field, query });
    const value = await typedValue(field.element, typed, { workspace, load });
    const after = keepValue(exchange, surface(place), field, value, choices);
    if (field.dispatches) {
      await sendBlockAction(exchange, user(), after, choiceAction(field.blockId, field.element, value));
    }
  };
  return {
    id,
    ...createElementActions({ exchange, user, surface, choices }),
    conversations: () => conversationsOf(exchange, user()),
    type: (text, where, threadTs) => type(exchange, user(), { text, where, threadTs }),
    edit: (message, text) => editMessage(exchange, user(), message, text),
    delete: (message) => deleteMessage(exchange, user(), message),
    openView: () => {
      const view = workspace.views.stackOf(id).at(-1);
      return view === undefined ? undefined : describeView(view);
    },
    openViews: () => workspace.views.stackOf(id).map(describeView),
    home: () => {
      const view = workspace.views.homeOf(id);
      return view === undefined ? undefined : describeView(view);
    },
    fill: async (values, on = "view") => {
      for (const [name, typed] of Object.entries(values)) await fillField(name, typed, on);
    },
    suggest: async (label, query, on = "view") => {
      const place = surface(on);
      return loadOptions(exchange, user(), { surface: place, ...fieldNamed(blocksOn(place), label), query });
    },
    submit: async () => submit(exchange, user(), top()),
    cancel: (all = false) => closeView(exchange, user(), all ? "x" : "cancel"),
    press: async (text, on, options = {}) => press(exchange, user(), surface(on), text, options),
    messages: (where) => visibleMessages(exchange, user(), where),
    shortcut: (name) => runGlobalShortcut(exchange, user(), name),
    messageShortcut: (name, message) => runMessageShortcut(exchange, user(), name, message),
    openHome: () => openHome(exchange, user()),
    workflow: (name, where) => startWorkflow(exchange, user(), name, where),
  };
}

function startWorkflow(exchange: Exchange, user: User, name: string, where: string): Promise<DeliveryOutcome> {
  const workflow = exchange.workspace.workflows.find((each) => each.name === name);
  if (workflow === undefined) throw new Error(`There is no workflow "${name}".`);
  return runWorkflow(exchange, user, channelFor(exchange, user, where), workflow);
}

interface Line {
  readonly text: string;
  readonly where: string;
  readonly threadTs: string | undefined;
}

async function type(exchange: Exchange, user: User, { text, where, threadTs }: Line): Promise<DeliveryOutcome> {
  const channel = channelFor(exchange, user, where);
  if (text.startsWith("/") && threadTs !== undefined)
    throw new Error("Slash commands do not work in threads; send the command to the channel.");
  if (text.startsWith("/")) return runCommand(exchange, user, channel, text);
  await sayInChannel(exchange, user, channel, text, threadTs);
  return delivered;
}

async function submit(exchange: Exchange, user: User, view: ViewRecord): Promise<SubmitOutcome> {
  if (view.definition.submit === undefined) throw new Error("The view has no submit button.");
  const blocked = clientChecks(view);
  exchange.workspace.views.setErrors(view.id, blocked);
  if (Object.keys(blocked).length > 0) return { kind: "blocked", errors: errorsByLabel(view, blocked) };
  const submission = await submitView(exchange, user, view);
  return submission.kind === "errors" ? { kind: "errors", errors: errorsByLabel(view, submission.errors) } : submission;
}

async function press(
  exchange: Exchange,
  user: User,
  surface: Surface,
  text: string,
  { deny = false, times = 1, ...hint }: PressOptions,
): Promise<DeliveryOutcome> {
  const button = findButton(blocksOn(surface), text, hint);
  if (deny && !button.hasConfirm) throw new Error(`"${text}" has no confirmation dialog to deny.`);
  if (deny) return delivered;
  const action = pressAction(button.blockId, button.element, button.option);
  const outcomes = await Promise.all(
    Array.from({ length: times }, () => sendBlockAction(exchange, user, surface, action)),
  );
  return outcomes.find((outcome) => !outcome.ok) ?? delivered;
}

/** Fires on every opening. Contains the view only when one was published before (PLATFORM.md §2.2). */
async function openHome(exchange: Exchange, user: User): Promise<DeliveryOutcome> {
  const { workspace } = exchange;
  if (!workspace.manifest.home.hasHomeTab)
    throw new Error("The app's Home tab is disabled; enable it in the manifest.");
  const channel = workspace.channels.openDirect(user.id, workspace.app.botUserId).id;
  const home = workspace.views.homeOf(user.id);
  const view = home === undefined ? {} : { view: viewPayload(home, workspace.app) };
  return sendEvent(exchange, { type: "app_home_opened", user: user.id, channel, tab: "home", ...view });
}
