// The messages between the page's server and its client. Blocks and confirmations are Slack's own JSON.
import type { Conversation } from "../workspace/conversation.ts";
import type { JsonObject, StateValues } from "../workspace/json-object.ts";
import type { PageAct } from "./acts.ts";

export type { Conversation as Place } from "../workspace/conversation.ts";
export type { JsonObject as Json } from "../workspace/json-object.ts";
export type { PageAct, PanelAct } from "./acts.ts";

export type PlaceActedOn = Extract<PageAct, { kind: "set" }>["on"];
export type HeldValue = Extract<PageAct, { kind: "set" }>["value"];

/** The faults that the panel can switch on. */
export const serviceFaults = ["none", "down", "slow", "lost"] as const;
export const slackFaults = ["none", "down", "limited"] as const;

/** Slack's blocks, and what their elements hold for this viewer. */
export interface SurfaceShown {
  readonly blocks: readonly JsonObject[];
  readonly state: StateValues;
  /** The messages under inputs, by block id. */
  readonly errors: Readonly<Record<string, string>>;
}

export type HomeShown = Omit<SurfaceShown, "errors">;

export interface ShownView extends SurfaceShown {
  readonly id: string;
  readonly title: string;
  /** The label of the submit button; null without one. */
  readonly submit: string | null;
  readonly close: string;
}

export interface ShownMessage extends Omit<SurfaceShown, "errors"> {
  readonly channelId: string;
  readonly ts: string;
  readonly at: number;
  readonly from: string;
  readonly fromKind: "person" | "app" | "slack";
  readonly isOnlyForYou: boolean;
  readonly isEdited: boolean;
  /** The parent message of a reply. */
  readonly threadTs?: string;
  /** Shown when it has no blocks. */
  readonly text: string;
}

interface ShownConversation {
  readonly where: string;
  readonly messages: readonly ShownMessage[];
}

export type { ShownConversation as Conversation };

export interface PersonShown {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly zone: string;
  /** For example `guest`, or their user groups. */
  readonly remarks: readonly string[];
  /** Lines for this person to try in #ops, without the command's name. */
  readonly tries: readonly string[];
}

export interface AppShown {
  readonly name: string;
  readonly commands: readonly { readonly command: string; readonly description: string; readonly usageHint: string }[];
  readonly shortcuts: readonly { readonly name: string; readonly kind: "global" | "message" }[];
  /** The names of the workflows with a step of the app. */
  readonly workflows: readonly string[];
}

/** A table of the service's data. `details` is the whole item as JSON. */
export interface PanelTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly id: string;
    readonly cells: readonly string[];
    readonly isFaded: boolean;
    readonly details: string;
  }[];
}

/** What a person did, a scheduled run, or what Curfew wrote. */
export interface ActivityLine {
  readonly id: string;
  readonly at: number;
  readonly kind: "person" | "run" | "service" | "database" | "slack";
  readonly text: string;
  /** The result; empty until there is one. */
  readonly outcome: string;
  readonly isTrouble: boolean;
  /** JSON, or empty. */
  readonly details: string;
}

export interface ClockShown {
  readonly aheadMs: number;
  /** Suggested times to jump to, earliest first. */
  readonly stops: readonly { readonly at: number; readonly text: string }[];
}

export interface Switches {
  readonly service: (typeof serviceFaults)[number] | "other";
  readonly slack: (typeof slackFaults)[number] | "other";
}

/** Everything the page shows beside the conversations, each of which is sent as `conversation`. A part is sent again when it changes. */
export interface PageParts {
  readonly app: AppShown;
  readonly people: readonly PersonShown[];
  readonly viewer: PersonShown;
  /** What the viewer reads for the ids of people, channels and user groups. */
  readonly names: Readonly<Record<string, string>>;
  readonly places: readonly Conversation[];
  readonly view: ShownView | null;
  readonly home: HomeShown | null;
  readonly tables: readonly PanelTable[];
  readonly activity: readonly ActivityLine[];
  /** Where the embedded service listens, so that one can call it too. The key is made up and opens nothing else. */
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  readonly clock: ClockShown;
  readonly switches: Switches;
}

/** The client waits for the last one before it renders. */
export const partNames = [
  "app",
  "people",
  "viewer",
  "names",
  "places",
  "view",
  "home",
  "tables",
  "activity",
  "service",
  "clock",
  "switches",
] as const satisfies readonly (keyof PageParts)[];

/** The result of an act. `options`: what an app found, as it sent it. */
export type ActAnswer =
  | { readonly ok: true; readonly options?: readonly JsonObject[]; readonly outcome?: string }
  | { readonly ok: false; readonly error: string };
