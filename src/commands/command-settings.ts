import type { ResourceGroup } from "../directory/directory.ts";
import type { Requirement } from "../permissions/requirements.ts";
import type { StopTime } from "../service/resources.ts";

/** The settings about exclusions and resources. */
export interface CommandSettings {
  readonly exclusions: {
    readonly defaultMs: number;
    readonly maxLengthMs: number;
    /** `HH:MM`: what a day without a time means. */
    readonly dayStarts: string;
    readonly dayEnds: string;
  };
  /** By channel id: the project and the IANA zone of requests that name none. */
  readonly channels: Readonly<
    Record<string, { readonly project?: string | undefined; readonly zone?: string | undefined }>
  >;
  readonly resourceGroups: Readonly<Record<string, ResourceGroup>>;
  /** What changes must say: a reason, a ticket. */
  readonly require?: readonly Requirement[] | undefined;
  readonly ticketUrl?: string | undefined;
  readonly service?: { readonly stopTime?: StopTime | undefined } | undefined;
}
