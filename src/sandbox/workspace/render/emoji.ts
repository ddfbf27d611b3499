/** The emoji in Curfew's messages, by Slack's names. Others show as their name. */
const emoji: Readonly<Record<string, string>> = {
  alarm_clock: "⏰",
  arrow_right: "➡️",
  bar_chart: "📊",
  bell: "🔔",
  card_index_dividers: "🗂️",
  checkered_flag: "🏁",
  fast_forward: "⏩",
  grey_question: "❔",
  hourglass: "⌛",
  hourglass_flowing_sand: "⏳",
  information_source: "ℹ️",
  large_blue_circle: "🔵",
  large_blue_square: "🟦",
  large_brown_circle: "🟤",
  large_brown_square: "🟫",
  large_green_circle: "🟢",
  large_green_square: "🟩",
  large_orange_circle: "🟠",
  large_orange_square: "🟧",
  large_purple_circle: "🟣",
  large_purple_square: "🟪",
  large_yellow_circle: "🟡",
  leftwards_arrow_with_hook: "↩️",
  lock: "🔒",
  mute: "🔇",
  new: "🆕",
  no_entry: "⛔",
  pencil2: "✏️",
  spiral_calendar_pad: "🗓️",
  question: "❓",
  raised_hand: "✋",
  repeat: "🔁",
  unlock: "🔓",
  warning: "⚠️",
  wastebasket: "🗑️",
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
