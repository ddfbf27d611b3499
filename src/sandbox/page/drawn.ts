// Blocks as they are drawn for one viewer: names for ids, times in their zone, what elements hold. The client knows no rule of Slack's.

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
