export type Redact = (text: string) => string;

/** Parts of a secret that are shorter would also be found in ordinary words. */
const shortestLine = 8;

/** Hides secrets wherever they stand in a text, as they are, as a URL or JSON would write them, or broken by white space. */
export function createRedact(secrets: string | readonly string[]): Redact {
  const parts = [secrets].flat().flatMap(linesOf);
  if (parts.length === 0) return (text) => text;
  const forms = parts.flatMap((part) => [part, encodeURIComponent(part), JSON.stringify(part).slice(1, -1)]);
  const pattern = new RegExp(forms.map(patternOf).join("|"), "gi");
  // Not ASCII, unlike any key, so what replaces the secret can never be part of it.
  return (text) => text.replace(pattern, "•••");
}

/** A secret of several lines is looked for line by line, since whoever quotes it may break it elsewhere or quote a part. */
function linesOf(secret: string): readonly string[] {
  const lines = secret.replace(/\p{Surrogate}/gu, "\ufffd").split(/\s*\n\s*/);
  return lines.length === 1 ? lines.filter(Boolean) : lines.filter((line) => line.length >= shortestLine);
}

const patternOf = (form: string): string => [...form].map(escapePattern).join("\\s*");

const escapePattern = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
