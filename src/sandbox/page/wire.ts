// The messages between the page's server and its client.
import type { Conversation as Place } from "../workspace/driver/conversation.ts";
import type { DrawnBlock, DrawnOption } from "./drawn-blocks.ts";
import type { ServiceFault, SlackFault } from "./fault-choices.ts";

export type * from "./drawn-blocks.ts";
export { serviceFaults, slackFaults } from "./fault-choices.ts";
export type { HeldValue, PageAct, PanelAct, PlaceActedOn } from "./page-act.ts";

export interface DrawnMessage {
  readonly channelId: string;
  readonly ts: string;
  readonly at: number;
  readonly from: string;
  readonly fromKind: "person" | "app" | "slack";
  readonly isOnlyForYou: boolean;
  readonly isEdited: boolean;
  /** The parent message of a reply. */
  readonly threadTs?: string;
  /** Whether message shortcuts are offered on it. */
  readonly hasShortcuts: boolean;
  readonly blocks: readonly DrawnBlock[];
  /** Each is shown with a bar. */
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
  /** The label of the submit button; null without one. */
  readonly submit: string | null;
  readonly close: string;
  readonly blocks: readonly DrawnBlock[];
}

export interface PersonShown {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly zone: string;
  /** For example `guest`, or their user groups. */
  readonly remarks: readonly string[];
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

/** One event between people, Curfew, Slack and the service. */
export interface ActivityLine {
  readonly id: string;
  readonly at: number;
  readonly kind: "person" | "timer" | "service" | "slack" | "run";
  readonly text: string;
  /** The result; empty until there is one. */
  readonly outcome: string;
  readonly isTrouble: boolean;
  /** JSON, or empty. */
  readonly details: string;
}

/** What somebody did, Curfew's own work or a scheduled run, with what followed. */
export interface ActivityStory extends ActivityLine {
  /** Curfew's calls to the service and to Slack. */
  readonly steps: readonly ActivityLine[];
  /** What people got to see, in words; empty when nothing. */
  readonly messages: string;
}

/** Where the embedded service listens, so that one can call it too. The key is made up and opens nothing else. */
export interface ServiceAddress {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface ClockShown {
  readonly aheadMs: number;
  /** Suggested times to jump to, earliest first. */
  readonly stops: readonly { readonly at: number; readonly text: string }[];
}

export interface Switches {
  readonly service: ServiceFault | "other";
  readonly slack: SlackFault | "other";
}

export const guideSteps = ["line", "form", "refused", "approved", "undone", "warned"] as const;
export type GuideStep = (typeof guideSteps)[number];

export interface Guide {
  readonly done: readonly GuideStep[];
  /** The channel of an undecided approval card; null without one. */
  readonly approvalChannel: string | null;
  /** A change that usually needs approval was made without one. */
  readonly isDoneWithoutApproval: boolean;
}

/** Everything the page shows. A part is sent again when it changes. */
export interface PageParts {
  readonly app: AppShown;
  readonly people: readonly PersonShown[];
  readonly viewer: PersonShown;
  readonly places: readonly DrawnPlace[];
  readonly views: readonly DrawnView[];
  readonly home: readonly DrawnBlock[] | null;
  readonly tables: readonly PanelTable[];
  readonly activity: readonly ActivityStory[];
  readonly service: ServiceAddress;
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
  "service",
  "clock",
  "switches",
  "guide",
] as const satisfies readonly (keyof PageParts)[];

/** Each conversation is sent separately, as `conversation`. */
export type PageEvent = keyof PageParts | "conversation";

/** The result of an act. */
export type ActAnswer =
  | { readonly ok: true; readonly options?: readonly DrawnOption[]; readonly outcome?: string }
  | { readonly ok: false; readonly error: string };
