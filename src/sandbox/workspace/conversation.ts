/** A channel or direct message in a person's sidebar. */
export interface Conversation {
  /** Of a channel. */
  readonly id?: string;
  /** A channel's name, "dm" (with the app) or "@handle". */
  readonly where: string;
  readonly kind: "public" | "private" | "app" | "person";
  /** As the sidebar shows it. */
  readonly name: string;
  readonly members: number;
  readonly isShared: boolean;
  readonly hasApp: boolean;
  readonly isWritable: boolean;
}
