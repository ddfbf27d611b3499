export type Redact = (text: string) => string;

/** Hides a secret wherever it stands in a text, as it is, as a URL or JSON would write it, or broken by white space. */
export function createRedact(secret: string): Redact {
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const pattern = new RegExp(forms.map(patternOf).join("|"), "gi");
  // Not ASCII, unlike any key, so what replaces the secret can never be part of it.
  return (text) => text.replace(pattern, "•••");
}

const patternOf = (form: string): string => [...form].map(escapePattern).join("\\s*");

const escapePattern = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
