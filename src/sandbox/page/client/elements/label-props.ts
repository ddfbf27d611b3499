/** The accessibility properties of every input element. */
export interface LabelProps {
  /** The name for screen readers. */
  readonly label: string;
  /** Set when a visible label exists. */
  readonly id?: string;
  /** The ids of hint and error. */
  readonly describedBy?: string | undefined;
  readonly isWrong?: boolean;
}
