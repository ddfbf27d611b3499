import { formatMoment } from "../../time/format-moment.ts";

/** Makes any text harmless in mrkdwn: `<!channel>` in a project's name pings nobody (platform.md §10: escape these three only). */
export function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/**
 * A moment (epoch ms) as each reader's Slack shows it, and in words in the zone of the person it is about. The words are also what
 * is shown where Slack draws no dates.
 */
export function date(at: number, zone: string): string {
  const words = formatMoment(at, zone);
  return `<!date^${Math.floor(at / 1000)}^{date_short_pretty}, {time}|${escape(words)}> (${escape(words)})`;
}

export function mention(userId: string): string {
  return `<@${userId}>`;
}

/** `verbatim`, since Slack would otherwise link names and addresses that it finds in the text (platform.md §10). */
export function mrkdwn(text: string) {
  return { type: "mrkdwn", text, verbatim: true } as const;
}
