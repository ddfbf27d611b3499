/** Wraps text to lines of at most `width` characters, between words where possible. */
export function wrapText(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(width, 1)));
}

/** Renders two texts in two columns. */
export function sideBySide(left: string, right: string, width: number): string {
  const gap = 2;
  const half = Math.floor((width - gap) / 2);
  const lefts = wrapText(left, half);
  const rights = wrapText(right, half);
  const height = Math.max(lefts.length, rights.length);
  const lines = Array.from({ length: height }, (_, row) => padTo(lefts[row] ?? "", half + gap) + (rights[row] ?? ""));
  return lines.map((line) => line.trimEnd()).join("\n");
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(width - lengthOf(text), 0));
}

/** In code points. A wide character counts as one. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

function wrapLine(line: string, width: number): readonly string[] {
  const characters = Array.from(line);
  const lines: string[] = [];
  let start = 0;
  while (characters.length - start > width) {
    const space = characters.slice(start, start + width + 1).lastIndexOf(" ");
    const length = space > 0 ? space : width;
    lines.push(characters.slice(start, start + length).join(""));
    start += space > 0 ? length + 1 : length;
  }
  return [...lines, characters.slice(start).join("")];
}
