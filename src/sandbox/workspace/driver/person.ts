import type { Channel } from "../channels.ts";
import { blocksOn, choiceAction, pressAction, type Surface, sendBlockAction } from "../interactions/block-actions.ts";
import { closeView } from "../interactions/close-view.ts";
import { type DeliveryOutcome, delivered, type Exchange } from "../interactions/exchange.ts";
import { loadOptions, type ShownOption } from "../interactions/load-options.ts";
import { runCommand } from "../interactions/run-command.ts";
import { runGlobalShortcut, runMessageShortcut } from "../interactions/run-shortcut.ts";
import { sayInChannel } from "../interactions/say-in-channel.ts";
import { sendEvent } from "../interactions/send-event.ts";
import { submitView } from "../interactions/submit-view.ts";
import type { StoredMessage } from "../messages.ts";
import type { User } from "../people.ts";
import { initialState, type StateValues } from "../validate/state-values.ts";
import { type ViewRecord, viewPayload } from "../views.ts";
import { clientChecks } from "./client-checks.ts";
import { type ButtonHint, findButton } from "./find-button.ts";
import { type FormField, fieldNamed } from "./form-fields.ts";
import { describeView, errorsByLabel, type OpenView } from "./open-view.ts";
import { type Typed, typedValue } from "./typed-value.ts";

/** A message, the person's topmost view, or their Home tab. */
export type Place = StoredMessage | "view" | "home";

export interface PressOptions extends ButtonHint {
  /** Answers a confirmation dialogue with no. */
  readonly deny?: boolean;
  /** Pressed this often at once, as by a nervous finger. */
  readonly times?: number;
}

export type SubmitOutcome =
  | { readonly kind: "closed" | "updated" | "pushed" | "cleared" }
  /** By label: from the app (`errors`) or from the client itself, which then sent nothing (`blocked`). */
  | { readonly kind: "errors" | "blocked"; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: "failed"; readonly shown: string };

/** Someone at a Slack client: can do what a client lets a person do, and no more. */
export interface Person {
  readonly id: string;
  /** A slash command, or an ordinary message. `where` is a channel name, "dm" (with the app) or "@handle". */
  type(text: string, where: string): Promise<DeliveryOutcome>;
  openView(): OpenView | undefined;
  /** By label, placeholder or id; sends what a client would send for each. */
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
    type: (text, where) => type(exchange, user(), text, where),
    openView: () => {
      const view = workspace.views.stackOf(id).at(-1);
      return view === undefined ? undefined : describeView(view);
    },
    fill: async (values, on = "view") => {
      for (const [name, typed] of Object.entries(values)) await fillField(name, typed, on);
    },
    suggest: (label, query, on = "view") => {
      const place = surface(on);
      return loadOptions(exchange, user(), { surface: place, ...fieldNamed(blocksOn(place), label), query });
    },
    submit: () => submit(exchange, user(), top()),
    cancel: (all = false) => closeView(exchange, user(), all ? "x" : "cancel"),
    press: (text, on, options = {}) => press(exchange, user(), surface(on), text, options),
    messages: (where) => visibleMessages(exchange, user(), where),
    shortcut: (name) => runGlobalShortcut(exchange, user(), name),
    messageShortcut: (name, message) => runMessageShortcut(exchange, user(), name, message),
    openHome: () => openHome(exchange, user()),
  };
}

async function type(exchange: Exchange, user: User, text: string, where: string): Promise<DeliveryOutcome> {
  const channel = channelFor(exchange, user, where);
  if (text.startsWith("/")) return runCommand(exchange, user, channel, text);
  await sayInChannel(exchange, user, channel, text);
  return delivered;
}

function channelFor({ workspace }: Exchange, user: User, where: string): Channel {
  const { channels, people, app, manifest } = workspace;
  if (where.startsWith("@")) return channels.openDirect(user.id, people.named(where).id);
  if (where === "dm") {
    if (!manifest.home.hasMessagesTab || manifest.home.isReadOnly)
      throw new Error("The app's Messages tab takes no input.");
    return channels.openDirect(user.id, app.botUserId);
  }
  const channel = channels.named(where);
  if (!channel.memberIds.includes(user.id)) throw new Error(`${user.handle} is not in #${channel.name}.`);
  return channel;
}

/** What stands there now; a message that is gone, or was never for this person, cannot be acted on. */
function findSurface(
  { workspace }: Exchange,
  user: User,
  place: Place,
  top: () => ViewRecord,
  choices: ReadonlyMap<string, StateValues>,
): Surface {
  if (place === "view") return { kind: "view", view: top() };
  if (place === "home") {
    const view = workspace.views.homeOf(user.id);
    if (view === undefined) throw new Error(`${user.handle}'s Home tab is empty.`);
    return { kind: "view", view };
  }
  const message = workspace.messages.get(place.channelId, place.ts);
  if (message === undefined) throw new Error("The message is gone.");
  const isMember = workspace.channels.named(message.channelId).memberIds.includes(user.id);
  const isForThem = message.ephemeralTo === undefined || message.ephemeralTo === user.id;
  if (!isMember || !isForThem) throw new Error(`${user.handle} does not see this message.`);
  return { kind: "message", message, state: choices.get(message.ts) ?? initialState(message.blocks) };
}

function keepValue(
  { workspace }: Exchange,
  surface: Surface,
  { blockId, actionId }: FormField,
  value: StateValues[string][string],
  choices: Map<string, StateValues>,
): Surface {
  if (surface.kind === "view") {
    const { id, state } = surface.view;
    const changed = { ...state, [blockId]: { ...state[blockId], [actionId]: value } };
    workspace.views.setState(id, changed);
    return { kind: "view", view: { ...surface.view, state: changed } };
  }
  const before = choices.get(surface.message.ts) ?? initialState(surface.message.blocks);
  const state = { ...before, [blockId]: { ...before[blockId], [actionId]: value } };
  choices.set(surface.message.ts, state);
  return { ...surface, state };
}

async function submit(exchange: Exchange, user: User, view: ViewRecord): Promise<SubmitOutcome> {
  if (view.definition.submit === undefined) throw new Error("The view has no submit button.");
  const blocked = clientChecks(view);
  if (Object.keys(blocked).length > 0) return { kind: "blocked", errors: blocked };
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
  if (deny && !button.hasConfirm) throw new Error(`"${text}" asks for no confirmation that could be denied.`);
  if (deny) return delivered;
  const action = pressAction(button.blockId, button.element, button.option);
  const outcomes = await Promise.all(
    Array.from({ length: times }, () => sendBlockAction(exchange, user, surface, action)),
  );
  return outcomes.find((outcome) => !outcome.ok) ?? delivered;
}

function visibleMessages({ workspace }: Exchange, user: User, where: string): readonly StoredMessage[] {
  const { channels, people, app, messages } = workspace;
  const other = where === "dm" ? app.botUserId : where.startsWith("@") ? people.named(where).id : undefined;
  const channel = other === undefined ? channels.named(where) : channels.direct(user.id, other);
  if (channel === undefined || !channel.memberIds.includes(user.id)) return [];
  return messages.in(channel.id).filter(({ ephemeralTo }) => ephemeralTo === undefined || ephemeralTo === user.id);
}

/** Fires on every opening; carries the view only when one was published before (platform.md §2.2). */
async function openHome(exchange: Exchange, user: User): Promise<DeliveryOutcome> {
  const { workspace } = exchange;
  if (!workspace.manifest.home.hasHomeTab) throw new Error("The app's Home tab is switched off.");
  const channel = workspace.channels.openDirect(user.id, workspace.app.botUserId).id;
  const home = workspace.views.homeOf(user.id);
  const view = home === undefined ? {} : { view: viewPayload(home, workspace.app) };
  return sendEvent(exchange, { type: "app_home_opened", user: user.id, channel, tab: "home", ...view });
}
