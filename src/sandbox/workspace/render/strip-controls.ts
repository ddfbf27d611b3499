/** The text without anything that would command a terminal: no C0 or C1 controls but the line break; a tab is a space. */
export function stripControls(text: string): string {
  return text.replaceAll("\t", " ").replaceAll(/[^\P{Cc}\n]/gu, "");
}

export function oneLine(text: string): string {
  return stripControls(text.replaceAll(/\s*\n\s*/g, " "));
}
