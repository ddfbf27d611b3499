// Blocks drawn for one viewer: names instead of ids, times in their zone, current values. The client needs no knowledge of Slack's rules.

export type TextStyle = "bold" | "italic" | "strike" | "code" | "underline";

/** A run of text with one style. */
export interface Inline {
  readonly kind: "text" | "link" | "mention" | "emoji" | "date";
  readonly text: string;
  readonly styles: readonly TextStyle[];
  /** Only http, https, mailto and tel. */
  readonly url?: string;
  /** The name of an emoji. */
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
  /** The formatted text of checkboxes and radio buttons. */
  readonly rich?: Rich;
  readonly description?: Rich;
  /** The heading of its group. */
  readonly group?: string;
  /** The link of an overflow menu entry. */
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
  /** Replaces the text for screen readers. */
  readonly label?: string;
  readonly url?: string;
  /** The name of the channel that its address opens in Slack, and here. */
  readonly channel?: string;
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
  /** Set when the app searches the options: the minimum query length. */
  readonly searchesFrom?: number;
  readonly max?: number;
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
  /** The time zone of the value. */
  readonly zone: string;
}

export interface DrawnImage {
  readonly kind: "image";
  readonly alt: string;
  readonly title: string;
  readonly url?: string;
}

/** An element or block that the sandbox does not render. */
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

/** The `id` is stable as long as the block exists. */
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
