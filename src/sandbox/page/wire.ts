import { z } from "zod";
import type { JsonObject, StateValues } from "../workspace/json-object.ts";

// The messages between the page's server and its client. Blocks and confirmations are Slack's own JSON.
// The client imports only types from here, so that it carries no schemas.

export type { JsonObject as Json } from "../workspace/json-object.ts";

const text = z.string().min(1).max(10_000);
const id = z.string().max(300);

const place = z.union([z.strictObject({ channelId: id, ts: id }), z.literal("view"), z.literal("home")]);
const element = { on: place, blockId: id, actionId: id };
const wallClock = z.strictObject({ date: z.iso.date(), time: z.string().regex(/^\d{2}:\d{2}$/) });
const held = z.union([z.string().max(10_000), z.array(id).readonly(), wallClock, z.null()]);
const message = z.strictObject({ channelId: id, ts: id });

export const pageAct = z.strictObject({
  as: id,
  act: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("type"), text, where: id, threadTs: id.exactOptional() }),
    z.strictObject({ kind: z.literal("press"), ...element, option: id.exactOptional() }),
    z.strictObject({ kind: z.literal("set"), ...element, value: held, isEntered: z.boolean().exactOptional() }),
    z.strictObject({ kind: z.literal("search"), ...element, query: z.string().max(300) }),
    z.strictObject({ kind: z.literal("submit"), viewId: id }),
    z.strictObject({ kind: z.literal("close"), viewId: id }),
    z.strictObject({ kind: z.literal("shortcut"), name: id, message: message.exactOptional() }),
    z.strictObject({ kind: z.literal("home") }),
    z.strictObject({ kind: z.literal("workflow"), name: id, where: id }),
  ]),
});

export type PageAct = z.infer<typeof pageAct>["act"];

export const panelAct = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("clock"), to: z.int().min(0).max(8.64e15) }),
  z.strictObject({ kind: z.literal("service"), fault: z.enum(["none", "down", "slow", "lost"]) }),
  z.strictObject({ kind: z.literal("slack"), fault: z.enum(["none", "down", "limited"]) }),
]);

export type PanelAct = z.infer<typeof panelAct>;

export type PlaceActedOn = Extract<PageAct, { kind: "set" }>["on"];
export type HeldValue = Extract<PageAct, { kind: "set" }>["value"];
export type PanelFault<K extends PanelAct["kind"]> = Extract<PanelAct, { kind: K; fault: string }>["fault"];

/** Slack's blocks, and what their elements hold for this viewer. */
export interface SurfaceShown {
  readonly blocks: readonly JsonObject[];
  readonly state: StateValues;
  /** The messages under inputs, by block id. */
  readonly errors: Readonly<Record<string, string>>;
}

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

export interface Place {
  readonly id?: string;
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
  readonly messages: readonly ShownMessage[];
}

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
  readonly service: PanelFault<"service"> | "other";
  readonly slack: PanelFault<"slack"> | "other";
}

/** Everything the page shows beside the conversations, each of which is sent as `conversation`. A part is sent again when it changes. */
export interface PageParts {
  readonly app: AppShown;
  readonly people: readonly PersonShown[];
  readonly viewer: PersonShown;
  /** What the viewer reads for the ids of people, channels and user groups. */
  readonly names: Readonly<Record<string, string>>;
  readonly places: readonly Place[];
  readonly view: ShownView | null;
  readonly home: Omit<SurfaceShown, "errors"> | null;
  readonly tables: readonly PanelTable[];
  readonly activity: readonly ActivityLine[];
  /** Where the embedded service listens, so that one can call it too. The key is made up and opens nothing else. */
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  readonly clock: ClockShown;
  /** Sent last: the client waits for it before it renders. */
  readonly switches: Switches;
}

/** The result of an act. `options`: what an app found, as it sent it. */
export type ActAnswer =
  | { readonly ok: true; readonly options?: readonly JsonObject[] }
  | { readonly ok: false; readonly error: string };
