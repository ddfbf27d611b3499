import type { CommandContext } from "../command.ts";

export interface Day {
  /** The requester's zone, in which times are read. */
  readonly zone: string;
  /** The zone of `dayStarts` and `dayEnds`: the channel's, else the requester's. */
  readonly dayZone: string;
  /** `HH:MM` */
  readonly dayStarts: string;
  readonly dayEnds: string;
}

/** Who asked, and where. */
export type Asked = Pick<CommandContext, "channelId" | "settings"> & {
  readonly actor: Pick<CommandContext["actor"], "timeZone">;
};

/** When a day without a time starts and ends, for this requester in this channel. */
export function dayOf({ actor, channelId, settings: { channels, exclusions } }: Asked): Day {
  const zone = actor.timeZone;
  const channel = channelId === null ? undefined : channels[channelId];
  const { dayStarts, dayEnds } = exclusions;
  return { zone, dayZone: channel?.zone ?? zone, dayStarts, dayEnds };
}
