/** The person for whom a text is rendered. */
export interface Viewer {
  /** The name of a person, channel or user group, without `@` or `#`. */
  readonly nameOf: (id: string) => string;
  /** The IANA zone in which dates are shown. */
  readonly zone: string;
  /** Epoch milliseconds. Without it, "today" and "3 minutes ago" become full dates. */
  readonly now?: number | undefined;
}
