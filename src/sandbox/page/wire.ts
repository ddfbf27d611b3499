// What the server tells the page: everything already drawn for one viewer, so that the client knows no rule of Slack's.
export type { HeldValue, PageAct, PanelAct, PlaceActedOn } from "./page-act.ts";

export type TextStyle = "bold" | "italic" | "strike" | "code" | "underline";

/** A run of text that is drawn in one way. */
export interface Inline {
  readonly kind: "text" | "link" | "mention" | "emoji" | "date";
  readonly text: string;
  readonly styles: readonly TextStyle[];
  /** Only http, https, mailto and tel. */
  readonly url?: string;
  /** What an emoji is called. */
  readonly name?: string;
}

export type Paragraph =
  | { readonly kind: "lines" | "quote" | "preformatted"; readonly parts: readonly Inline[] }
  | {
      readonly kind: "list";
      readonly isOrdered: boolean;
      readonly indent: number;
      readonly start: number;
      readonly items: readonly (readonly Inline[])[];
    };

/** Formatted text. */
export type Rich = readonly Paragraph[];

export interface DrawnOption {
  readonly value: string;
  readonly text: string;
  /** Formatted where Slack formats it: at checkboxes and radio buttons. */
  readonly rich?: Rich;
  readonly description?: Rich;
  /** The heading of its group. */
  readonly group?: string;
  /** Opened by an entry of an overflow menu. */
  readonly url?: string;
}

export interface DrawnConfirm {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly deny: string;
  readonly isDanger: boolean;
}

interface Element {
  readonly blockId: string;
  readonly actionId: string;
  readonly confirm?: DrawnConfirm;
  readonly hasFocus?: true;
}

export interface DrawnButton extends Element {
  readonly kind: "button";
  readonly text: string;
  readonly style: "plain" | "primary" | "danger";
  /** What a screen reader says instead of the text. */
  readonly label?: string;
  readonly url?: string;
}

export interface DrawnOverflow extends Element {
  readonly kind: "overflow";
  readonly options: readonly DrawnOption[];
}

export interface DrawnSelect extends Element {
  readonly kind: "select";
  readonly isMultiple: boolean;
  readonly placeholder: string;
  readonly options: readonly DrawnOption[];
  readonly chosen: readonly DrawnOption[];
  /** Set when the app finds the options: how many letters it wants first. */
  readonly searchesFrom?: number;
  readonly most?: number;
}

export interface DrawnTicks extends Element {
  readonly kind: "checkboxes" | "radios";
  readonly options: readonly DrawnOption[];
  readonly chosen: readonly string[];
}

export interface DrawnTextInput extends Element {
  readonly kind: "text";
  readonly type: "text" | "email" | "url" | "number";
  readonly isMultiline: boolean;
  readonly placeholder: string;
  readonly value: string;
  readonly maxLength?: number;
}

export interface DrawnMoment extends Element {
  readonly kind: "moment";
  /** `YYYY-MM-DD` and `HH:mm` in the viewer's zone; null where the element has no such part. */
  readonly date: string | null;
  readonly time: string | null;
  readonly parts: "date" | "time" | "both";
  /** The zone of the time, where it is not plainly the viewer's. */
  readonly zone: string;
}

export interface DrawnImage {
  readonly kind: "image";
  readonly alt: string;
  readonly title: string;
  readonly url?: string;
}

/** One that the sandbox does not draw. */
export interface DrawnUnknown {
  readonly kind: "unknown";
  readonly type: string;
}

export type DrawnElement =
  | DrawnButton
  | DrawnOverflow
  | DrawnSelect
  | DrawnTicks
  | DrawnTextInput
  | DrawnMoment
  | DrawnImage
  | DrawnUnknown;

/** Each has an `id` that stays as long as the block does. */
export type DrawnBlock = { readonly id: string } & (
  | { readonly kind: "header"; readonly text: string }
  | { readonly kind: "divider" }
  | {
      readonly kind: "section";
      readonly text: Rich;
      readonly fields: readonly Rich[];
      readonly accessory?: DrawnElement;
    }
  | {
      readonly kind: "context";
      readonly items: readonly (DrawnImage | { readonly kind: "rich"; readonly text: Rich })[];
    }
  | { readonly kind: "actions"; readonly elements: readonly DrawnElement[] }
  | {
      readonly kind: "input";
      readonly label: string;
      readonly hint: string;
      readonly error: string;
      readonly isOptional: boolean;
      readonly element: DrawnElement;
    }
  | { readonly kind: "image"; readonly image: DrawnImage }
  | { readonly kind: "rich"; readonly text: Rich }
  | { readonly kind: "table"; readonly rows: readonly (readonly Rich[])[] }
  | DrawnUnknown
);

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

export interface DrawnPlace {
  /** A channel's name, "dm" (with the app) or "@handle". */
  readonly where: string;
  readonly kind: "public" | "private" | "app" | "person";
  readonly name: string;
  readonly members: number;
  readonly isShared: boolean;
  readonly hasApp: boolean;
  readonly isWritable: boolean;
}

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
  /** Whether somebody was asked for a yes; "not-needed" when what usually needs one was done without. */
  readonly approval: "open" | "asked" | "not-needed";
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
