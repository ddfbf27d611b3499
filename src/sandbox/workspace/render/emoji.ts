/** The emoji that Curfew's messages use, by Slack's names; others are shown by name. */
const emoji: Readonly<Record<string, string>> = {
  alarm_clock: "⏰",
  arrow_right: "➡️",
  bell: "🔔",
  card_index_dividers: "🗂️",
  checkered_flag: "🏁",
  fast_forward: "⏩",
  grey_question: "❔",
  hourglass: "⌛",
  information_source: "ℹ️",
  hourglass_flowing_sand: "⏳",
  leftwards_arrow_with_hook: "↩️",
  mute: "🔇",
  no_entry: "⛔",
  pencil2: "✏️",
  raised_hand: "✋",
  warning: "⚠️",
  white_check_mark: "✅",
  wrench: "🔧",
  x: "❌",
};

/** Text with `:name:` drawn as the character, where it is one that Curfew uses. */
export function drawEmoji(text: string): string {
  return text.replaceAll(/:([a-z][a-z0-9_]*):/g, (whole, name: string) =>
    Object.hasOwn(emoji, name) ? (emoji[name] ?? whole) : whole,
  );
}
