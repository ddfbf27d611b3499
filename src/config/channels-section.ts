import { z } from "zod";
import { channelId } from "../permissions/config-values.ts";
import { ianaZone, nearestZone } from "../time/zone.ts";

/** An IANA time zone. */
export const knownZone = z.string().transform((text, context): string => {
  const zone = ianaZone(text);
  if (zone !== undefined) return zone;
  const nearest = nearestZone(text);
  const advice = nearest === undefined ? "use a name such as Europe/Berlin" : `did you mean "${nearest}"?`;
  context.addIssue({ code: "custom", message: `unknown time zone "${text}"; ${advice}` });
  return z.NEVER;
});

/** The `channels` section of curfew.yaml, by channel id: what a request in the channel means when it does not say. */
export const channelsSchema = z.record(
  channelId,
  z.strictObject({ project: z.string().min(1, "must not be empty").optional(), zone: knownZone.optional() }),
);
export type Channels = Readonly<Record<string, ChannelDefaults>>;

interface ChannelDefaults {
  readonly project?: string | undefined;
  /** The IANA zone in which the team's day starts and ends. */
  readonly zone?: string | undefined;
}
