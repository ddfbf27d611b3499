import { formatMoment, formatTime } from "../../time/format-moment.ts";
import { wallClockAt } from "../../time/wall-clock.ts";
import { clip } from "./clip.ts";

/**
 * Half a sign, which cannot be sent in UTF-8; signs that turn around how what follows them reads; signs that nobody sees, by which two
 * names look the same; and controls other than white space. The joiners stay, which emoji are made with, and the marks of a
 * direction, which people write in Hebrew and Arabic: they turn nothing around.
 */
const unfit = /[\p{Surrogate}\p{Cc}\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const whiteSpace: readonly string[] = ["\t", "\n", "\r"];

/** The text as it may be shown to people; nothing that they are to read is escaped. */
export const legible = (text: string): string =>
  text.replace(unfit, (sign) => (whiteSpace.includes(sign) ? sign : "\ufffd"));

/**
 * Makes any text harmless in mrkdwn: `<!channel>` in a project's name pings nobody (platform.md §10: escape these three only), half a
 * sign does not keep the whole message from being sent, and no name or reason makes the words after it read backwards.
 */
export function escapeMrkdwn(text: string): string {
  return legible(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** The same, cut so that Slack counts at most `limit` characters, and never within an escaped one. */
export function escapeWithin(text: string, limit: number): string {
  const escaped = escapeMrkdwn(clip(text, limit));
  return escaped.length <= limit
    ? escaped
    : `${escaped.slice(0, limit - 1).replace(/(?:&[a-z]*|\p{Surrogate})$/u, "")}…`;
}

/**
 * A moment (epoch ms) as each reader's Slack shows it, and beside it the clock in the zone of the person it is about. The moment in
 * words is what is shown where Slack draws no dates.
 */
export function date(at: number, zone: string): string {
  const minute = Math.floor(at / 60_000) * 60_000;
  const { hour, minute: past } = wallClockAt(minute, zone);
  const words = escapeMrkdwn(formatMoment(minute, zone));
  const clock = `${formatTime({ hour, minute: past })} ${zone}`;
  return `<!date^${minute / 1000}^{date_short_pretty}, {time}|${words}> (${escapeMrkdwn(clock)})`;
}

export function mention(userId: string): string {
  return `<@${userId}>`;
}

/** `verbatim`, since Slack would otherwise link names and addresses that it finds in the text (platform.md §10). */
export function mrkdwn(text: string) {
  return { type: "mrkdwn", text, verbatim: true } as const;
}
