/** Under what a resource may be known, in the order of trust: its id in any case, and for an ARN the name or id at its end. */
export function resourceKeys(id: string): readonly [string, ...string[]] {
  const whole = id.toLowerCase();
  const bare = whole.startsWith("arn:") ? whole.split(/[:/]/).at(-1) : undefined;
  return bare ? [whole, bare] : [whole];
}
