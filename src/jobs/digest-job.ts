import { buildDigest, type DigestSources } from "../changes/digest/build-digest.ts";
import { type DigestSettings, digestDue, digestId, nextDigest, zoneOf } from "../changes/digest/digest-times.ts";
import type { JobHandler } from "./job-worker.ts";

export interface DigestJobOptions extends DigestSources {
  readonly settings: () => DigestSettings & ReturnType<DigestSources["settings"]>;
  readonly now: () => number;
}

/** One that is later than this is left out: the next one shows more. */
const maxLateMs = 24 * 3_600_000;

/** Posts the weekly digest. A job for a time that the config no longer names does nothing: the one that replaced it is scheduled. */
export function createDigestJob(options: DigestJobOptions): JobHandler {
  const { settings, now } = options;
  return async (key, dueAt) => {
    const digest = digestDue(settings(), key, dueAt);
    if (!digest) return {};
    const at = Math.max(now(), dueAt);
    const jobs = nextDigest(digest, settings(), dueAt);
    if (at - dueAt > maxLateMs) return { jobs };
    const zone = zoneOf(digest, settings());
    const content = await buildDigest(options, digest, zone, at);
    return { jobs, bulletins: [{ id: digestId(digest, zone, dueAt), content, at, overAt: null, to: digest.channel }] };
  };
}
