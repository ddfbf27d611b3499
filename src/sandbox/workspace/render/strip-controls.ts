/** Removes terminal control characters: all C0 and C1 except the line break. A tab becomes a space. */
export function stripControls(text: string): string {
  return text.replaceAll("\t", " ").replaceAll(/[^\P{Cc}\n]/gu, "");
}

export function oneLine(text: string): string {
  return stripControls(text.replaceAll(/\s*\n\s*/g, " "));
}
