import { initialState } from "./blocks.ts";
import {
  atPlace,
  type ButtonHint,
  describeView,
  type ElementPlace,
  errorsByLabel,
  type FormField,
  fieldNamed,
  findButton,
  formFields,
  type Pressable,
  pressables,
  problemWith,
  type Typed,
  typedValue,
} from "./form-fields.ts";
import { isJsonObject, type JsonObject, objectAt, type StateValues, stringsIn } from "./json-object.ts";
import { type Client, type DeliveryOutcome, delivered, type LiveWorkspace, sendEvent } from "./live-workspace.ts";
import { runCommand, runWorkflow, sayInChannel } from "./messages.ts";
import {
  blocksOf,
  type Channel,
  directWith,
  isBotIn,
  messageKey,
  messagesIn,
  openDirect,
  type StoredMessage,
  type User,
  type ViewRecord,
  viewOf,
  viewPayload,
} from "./state.ts";
import {
  blocksOn,
  choiceAction,
  loadOptions,
  pressAction,
  runShortcut,
  type ShownOption,
  type Submission,
  type Surface,
  sendBlockAction,
  shownOptions,
  submitView,
} from "./surfaces.ts";

/** A message, the person's open modal, or their Home tab. */
export type Place = Pick<StoredMessage, "channelId" | "ts"> | "view" | "home";

interface PressOptions extends ButtonHint {
  /** Answers no to the confirmation dialog. */
  readonly deny?: boolean;
  /** Presses this many times in parallel, like a double click. */
  readonly times?: number;
}

/** A person at a Slack client, who can do exactly what the client allows. */
export class Person implements Client {
  readonly id: string;
  readonly workspace: LiveWorkspace;
  /** What this person chose in messages, which belongs to nobody else. */
  readonly #choices = new Map<string, StateValues>();
  /** The options found in external selects. */
  readonly #searched = new Map<string, readonly ShownOption[]>();

  constructor(workspace: LiveWorkspace, id: string) {
    this.id = id;
    this.workspace = workspace;
  }

  get user(): User {
    return this.workspace.people.named(this.id);
  }

  conversations() {
    return conversationsOf(this);
  }

  /** The messages they see there, including their own ephemeral ones. */
  messages(where: string): readonly StoredMessage[] {
    const { channels, people, app } = this.workspace;
    const other = where === "dm" ? app.botUserId : where.startsWith("@") ? people.named(where).id : undefined;
    const channel = other === undefined ? channels.named(where) : directWith(this.workspace, this.id, other);
    if (channel === undefined || !channel.memberIds.includes(this.id)) return [];
    return messagesIn(this.workspace, channel.id).filter(
      ({ ephemeralTo }) => ephemeralTo === undefined || ephemeralTo === this.id,
    );
  }

  /** Sends a slash command or a message, optionally in a thread. `where` is as in `conversations`. */
  async type(text: string, where: string, threadTs?: string): Promise<DeliveryOutcome> {
    const channel = channelFor(this, where);
    if (text.startsWith("/") && threadTs !== undefined)
      throw new Error("Slash commands do not work in threads; send the command to the channel.");
    if (text.startsWith("/")) return runCommand(this, channel, text);
    await sayInChannel(this, channel, text, threadTs);
    return delivered;
  }

  openView() {
    const view = viewOf(this.workspace, this.id);
    return view && describeView(view);
  }

  home() {
    const view = viewOf(this.workspace, this.id, "home");
    return view && describeView(view);
  }

  /** By label, placeholder or id. Sends what a client sends for each. */
  async fill(values: Readonly<Record<string, Typed>>, on: Place = "view"): Promise<void> {
    for (const [name, typed] of Object.entries(values)) {
      const field = fieldNamed(blocksOn(this.#surface(on)), name);
      const load = (query: string) => loadOptions(this, this.#surface(on), field, query);
      const value = await typedValue(field.element, typed, { workspace: this.workspace, load });
      const after = this.#keep(this.#surface(on), field, value);
      if (field.dispatches) await this.#sendChoice(after, field, value);
    }
  }

  /** Like `fill` for one exact element; options are chosen by value among those offered. Text is sent to the app only on Enter, if at all. */
  async set(place: ElementPlace, typed: Typed, on: Place, isEntered = false): Promise<DeliveryOutcome> {
    const surface = this.#surface(on);
    const field = atPlace(formFields(blocksOn(surface)), place);
    const held = objectAt(stateOn(surface)[field.blockId]?.[field.actionId]);
    const offered = [
      ...(this.#searched.get(keyOf(surface, place)) ?? []),
      ...shownOptions(field.element),
      ...shownOptions({ options: held.selected_options ?? [held.selected_option] }),
    ];
    const load = async () => offered;
    const value = await typedValue(field.element, typed, { workspace: this.workspace, load, offered });
    const after = this.#keep(surface, field, value);
    return isNotified(field, isEntered) ? this.#sendChoice(after, field, value) : delivered;
  }

  #sendChoice(surface: Surface, { blockId, element }: FormField, value: JsonObject): Promise<DeliveryOutcome> {
    return sendBlockAction(this, surface, choiceAction(blockId, element, value));
  }

  suggest(label: string, query: string, on: Place = "view"): Promise<readonly ShownOption[]> {
    const surface = this.#surface(on);
    return loadOptions(this, surface, fieldNamed(blocksOn(surface), label), query);
  }

  /** Types into an exact external select. */
  async search(place: ElementPlace, query: string, on: Place): Promise<readonly ShownOption[]> {
    const surface = this.#surface(on);
    const field = atPlace(formFields(blocksOn(surface)), place);
    const options = await loadOptions(this, surface, field, query);
    this.#searched.set(keyOf(surface, place), options);
    return options;
  }

  /** Names the errors by the labels of their fields. */
  async submit(): Promise<Submission> {
    const view = this.#modal();
    const { definition, state } = view;
    if (definition.submit === undefined) throw new Error("The view has no submit button.");
    const problems = formFields(blocksOf(definition)).flatMap((field) => {
      const problem = field.isInput ? problemWith(field, state[field.blockId]?.[field.actionId]) : undefined;
      return problem === undefined ? [] : [[field.blockId, problem] as const];
    });
    const errors = Object.fromEntries(problems);
    this.workspace.views.change(view.id, { errors });
    const outcome = problems.length > 0 ? ({ kind: "blocked", errors } as const) : await submitView(this, view);
    return "errors" in outcome ? { ...outcome, errors: errorsByLabel(definition, outcome.errors) } : outcome;
  }

  /** The Cancel button, or the X. */
  async cancel(): Promise<void> {
    this.workspace.views.remove(this.#modal().id);
  }

  async press(text: string, on: Place, { deny = false, times = 1, ...hint }: PressOptions = {}) {
    const surface = this.#surface(on);
    const button = findButton(blocksOn(surface), text, hint);
    const hasConfirm = isJsonObject(button.element.confirm);
    if (deny && !hasConfirm) throw new Error(`"${text}" has no confirmation dialog to deny.`);
    if (deny) return delivered;
    const outcomes = await Promise.all(Array.from({ length: times }, () => this.#press(surface, button)));
    return outcomes.find((outcome) => !outcome.ok) ?? delivered;
  }

  /** Presses an exact element. `option` is the value of an entry of an overflow menu. */
  async pressAt(place: ElementPlace, on: Place, option?: string): Promise<DeliveryOutcome> {
    const surface = this.#surface(on);
    const offered = pressables(blocksOn(surface));
    const inMenu = offered.filter((each) => (each.option === undefined ? undefined : each.value) === option);
    return this.#press(surface, atPlace(inMenu, place));
  }

  #press(surface: Surface, { blockId, element, option }: Pressable): Promise<DeliveryOutcome> {
    return sendBlockAction(this, surface, pressAction(blockId, element, option));
  }

  shortcut(name: string): Promise<DeliveryOutcome> {
    return runShortcut(this, name);
  }

  async messageShortcut(name: string, place: Pick<StoredMessage, "channelId" | "ts">): Promise<DeliveryOutcome> {
    return runShortcut(this, name, this.#message(place));
  }

  /** Fires on every opening. Contains the view only when one was published before (PLATFORM.md §2.2). */
  async openHome(): Promise<DeliveryOutcome> {
    const { manifest } = this.workspace;
    if (!manifest.home.home_tab_enabled) throw new Error("The app's Home tab is disabled; enable it in the manifest.");
    const channel = openDirect(this.workspace, this.id).id;
    const home = viewOf(this.workspace, this.id, "home");
    const view = home === undefined ? {} : { view: viewPayload(home, this.workspace) };
    return sendEvent(this.workspace, { type: "app_home_opened", user: this.id, channel, tab: "home", ...view });
  }

  workflow(name: string, where: string): Promise<DeliveryOutcome> {
    const workflow = this.workspace.workflows.find((each) => each.name === name);
    if (workflow === undefined) throw new Error(`There is no workflow "${name}".`);
    return runWorkflow(this, channelFor(this, where), workflow);
  }

  /** The values that the elements of a surface hold for this person. */
  stateOf(on: Place): StateValues {
    return stateOn(this.#surface(on));
  }

  #modal(): ViewRecord {
    const view = viewOf(this.workspace, this.id);
    if (view === undefined) throw new Error(`${this.user.handle} has no view open.`);
    return view;
  }

  /** The surface as it is now. Throws for a message that is gone or that this person cannot see. */
  #surface(place: Place): Surface {
    if (place === "view") return { kind: "view", view: this.#modal() };
    if (place === "home") {
      const view = viewOf(this.workspace, this.id, "home");
      if (view === undefined) throw new Error(`${this.user.handle}'s Home tab is empty.`);
      return { kind: "view", view };
    }
    const message = this.#message(place);
    return { kind: "message", message, state: this.#choices.get(message.ts) ?? initialState(message.blocks) };
  }

  #message(place: Pick<StoredMessage, "channelId" | "ts">): StoredMessage {
    const message = this.workspace.messages.get(messageKey(place));
    if (message === undefined) throw new Error("The message is gone.");
    const isMember = this.workspace.channels.named(message.channelId).memberIds.includes(this.id);
    const isForThem = message.ephemeralTo === undefined || message.ephemeralTo === this.id;
    if (!isMember || !isForThem) throw new Error(`${this.user.handle} does not see this message.`);
    return message;
  }

  /** The surface with that field filled in. */
  #keep(surface: Surface, { blockId, actionId }: FormField, value: JsonObject): Surface {
    const before = stateOn(surface);
    const state = { ...before, [blockId]: { ...before[blockId], [actionId]: value } };
    if (surface.kind === "view") return { kind: "view", view: this.workspace.views.change(surface.view.id, { state }) };
    this.#choices.set(surface.message.ts, state);
    return { ...surface, state };
  }
}

const stateOn = (surface: Surface): StateValues => (surface.kind === "view" ? surface.view.state : surface.state);

const keyOf = (surface: Surface, { blockId, actionId }: ElementPlace): string =>
  JSON.stringify([surface.kind === "view" ? surface.view.id : surface.message.ts, blockId, actionId]);

/** `dispatch_action_config` decides when typed text is sent; by default on Enter (PLATFORM.md §6.3). */
function isNotified({ element, dispatches }: FormField, isEntered: boolean): boolean {
  if (!dispatches || !String(element.type).endsWith("_input")) return dispatches;
  const { trigger_actions_on = ["on_enter_pressed"] } = objectAt(element.dispatch_action_config);
  return stringsIn(trigger_actions_on).includes(isEntered ? "on_enter_pressed" : "on_character_entered");
}

/** The person's channels, then the app, then everyone else they can message. */
function conversationsOf({ workspace, user }: Client) {
  const { channels, people, manifest } = workspace;
  const joined = channels.all.flatMap((channel) => {
    const { id, name, kind, memberIds, isShared, isArchived } = channel;
    if (kind === "im" || !memberIds.includes(user.id)) return [];
    const hasApp = isBotIn(workspace, channel);
    return [{ id, where: name, kind, name, members: memberIds.length, isShared, hasApp, isWritable: !isArchived }];
  });
  const others = people.all.filter(({ id, isBot, deleted }) => id !== user.id && !isBot && !deleted);
  const direct = { members: 2, isShared: false, hasApp: false, isWritable: true };
  return [
    ...joined,
    {
      ...direct,
      where: "dm",
      kind: "app" as const,
      name: manifest.name,
      hasApp: true,
      isWritable: acceptsMessages(workspace),
    },
    ...others.map((other) => ({ ...direct, where: `@${other.handle}`, kind: "person" as const, name: other.realName })),
  ];
}

function acceptsMessages({ manifest: { home } }: LiveWorkspace): boolean {
  return home.messages_tab_enabled && !home.messages_tab_read_only_enabled;
}

/** Where a person can post: a channel they are in, "dm" (with the app) or "@handle". */
function channelFor({ workspace, user }: Client, where: string): Channel {
  const { channels, people } = workspace;
  if (where.startsWith("@")) return openDirect(workspace, user.id, people.named(where).id);
  if (where === "dm") {
    if (!acceptsMessages(workspace))
      throw new Error("The app's Messages tab is read-only; enable messages in the manifest.");
    return openDirect(workspace, user.id);
  }
  const channel = channels.named(where);
  if (!channel.memberIds.includes(user.id))
    throw new Error(`${user.handle} is not in #${channel.name}; join it first.`);
  return channel;
}
