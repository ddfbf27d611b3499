/** For whom a text is drawn. */
export interface Viewer {
  /** The name of a person, channel or user group, without `@` or `#`. */
  readonly nameOf: (id: string) => string;
  /** The IANA zone in which dates are shown. */
  readonly zone: string;
  /** Milliseconds; without it "today" and "3 minutes ago" are written as full dates. */
  readonly now?: number | undefined;
}
