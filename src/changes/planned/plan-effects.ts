import { announcementChannels, newCards } from "../announce.ts";
import type { ServiceChange } from "../change.ts";
import type { ChangeSettings, Effects } from "../ports.ts";
import { planJobs } from "./plan-times.ts";

/** The cards of a new plan that needs no approval, and the job that begins it. */
export const planEffects = (change: ServiceChange, settings: Pick<ChangeSettings, "announce">): Effects => ({
  outbox: newCards(change, announcementChannels(change, settings), []),
  jobs: planJobs(change, change.requestedAt),
});

/** Both, as one. */
export const withEffects = (one: Effects, other: Effects): Effects => ({
  ...one,
  ...other,
  outbox: [...(one.outbox ?? []), ...(other.outbox ?? [])],
});
