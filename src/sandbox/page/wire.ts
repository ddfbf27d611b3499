// What the server tells the page's client, and the client the server.
import type { Conversation as Place } from "../workspace/driver/conversation.ts";
import type { DrawnBlock, DrawnOption } from "./drawn.ts";

export type * from "./drawn.ts";
export type { HeldValue, PageAct, PanelAct, PlaceActedOn } from "./page-act.ts";

export interface DrawnMessage {
  readonly channelId: string;
  readonly ts: string;
  readonly at: number;
  readonly from: string;
  readonly fromKind: "person" | "app" | "slack";
  readonly isOnlyForYou: boolean;
  readonly isEdited: boolean;
  /** The message that a reply is in the thread of. */
  readonly threadTs?: string;
  /** Whether message shortcuts are offered on it. */
  readonly hasShortcuts: boolean;
  readonly blocks: readonly DrawnBlock[];
  /** Blocks with a bar beside them. */
  readonly attachments: readonly (readonly DrawnBlock[])[];
}

export type DrawnPlace = Place;

export interface Conversation {
  readonly where: string;
  readonly messages: readonly DrawnMessage[];
}

export interface DrawnView {
  readonly id: string;
  readonly title: string;
  /** The label of the button that sends it; null when it has none. */
  readonly submit: string | null;
  readonly close: string;
  readonly blocks: readonly DrawnBlock[];
}

export interface PersonShown {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly zone: string;
  /** Such as `guest` or the user groups they are in. */
  readonly remarks: readonly string[];
}

export interface AppShown {
  readonly name: string;
  readonly commands: readonly { readonly command: string; readonly description: string; readonly usageHint: string }[];
  readonly shortcuts: readonly { readonly name: string; readonly kind: "global" | "message" }[];
}

/** A table of the service's things; `details` is what a row holds besides, as JSON. */
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

/** One thing that happened between people, bot, Slack and service. */
export interface ActivityLine {
  readonly id: string;
  readonly at: number;
  readonly kind: "person" | "service" | "slack" | "run";
  readonly text: string;
  /** How it ended; empty while it has not. */
  readonly outcome: string;
  readonly isTrouble: boolean;
  /** JSON, or empty. */
  readonly details: string;
}

export interface ClockShown {
  readonly aheadMs: number;
  /** Moments worth moving to, the next first. */
  readonly stops: readonly { readonly at: number; readonly text: string }[];
}

export const serviceFaults = ["none", "down", "slow", "lost"] as const;
export const slackFaults = ["none", "down", "limited"] as const;

export interface Switches {
  readonly service: (typeof serviceFaults)[number] | "other";
  readonly slack: (typeof slackFaults)[number] | "other";
}

export const guideSteps = ["line", "form", "refused", "approved", "undone"] as const;
export type GuideStep = (typeof guideSteps)[number];

export interface Guide {
  readonly done: readonly GuideStep[];
  /** The channel where somebody was asked for a yes; null as long as nobody was. */
  readonly askedIn: string | null;
  /** What usually needs a yes was done without one. */
  readonly isDoneUnasked: boolean;
}

/** Everything the page shows, in the parts that are sent anew when they have changed. */
export interface PageParts {
  readonly app: AppShown;
  readonly people: readonly PersonShown[];
  readonly viewer: PersonShown;
  readonly places: readonly DrawnPlace[];
  readonly views: readonly DrawnView[];
  readonly home: readonly DrawnBlock[] | null;
  readonly tables: readonly PanelTable[];
  readonly activity: readonly ActivityLine[];
  readonly clock: ClockShown;
  readonly switches: Switches;
  readonly guide: Guide;
}

export const partNames = [
  "app",
  "people",
  "viewer",
  "places",
  "views",
  "home",
  "tables",
  "activity",
  "clock",
  "switches",
  "guide",
] as const satisfies readonly (keyof PageParts)[];

/** Beside the parts, each conversation is sent by itself, as `conversation`. */
export type PageEvent = keyof PageParts | "conversation";

/** What became of an act. */
export type ActAnswer =
  | { readonly ok: true; readonly options?: readonly DrawnOption[]; readonly outcome?: string }
  | { readonly ok: false; readonly error: string };
