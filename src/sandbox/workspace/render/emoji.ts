/** The emoji in Curfew's messages, by Slack's names. Others show as their name. */
const emoji: Readonly<Record<string, string>> = {
  alarm_clock: "⏰",
  arrow_right: "➡️",
  bell: "🔔",
  card_index_dividers: "🗂️",
  checkered_flag: "🏁",
  fast_forward: "⏩",
  grey_question: "❔",
  hourglass: "⌛",
  hourglass_flowing_sand: "⏳",
  information_source: "ℹ️",
  large_green_circle: "🟢",
  large_yellow_circle: "🟡",
  leftwards_arrow_with_hook: "↩️",
  lock: "🔒",
  mute: "🔇",
  no_entry: "⛔",
  pencil2: "✏️",
  question: "❓",
  raised_hand: "✋",
  unlock: "🔓",
  warning: "⚠️",
  white_check_mark: "✅",
  white_circle: "⚪",
  wrench: "🔧",
  x: "❌",
};

/** Replaces `:name:` with the character where it is known. */
export function drawEmoji(text: string): string {
  return text.replaceAll(/:([a-z][a-z0-9_]*):/g, (whole, name: string) =>
    Object.hasOwn(emoji, name) ? (emoji[name] ?? whole) : whole,
  );
}
