/** The flag of a field on a line: `mfaType` is `--mfa-type`. */
export function flagOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
