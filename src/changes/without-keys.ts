const keyFields: ReadonlySet<string> = new Set(["amazoniamaccesskey", "googleserviceaccountkey"]);

/** An answer without the objects that carry keys, wherever they stand: they are neither kept nor shown (design.md, "Left open by spec.md"). */
export function withoutKeys(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withoutKeys);
  if (typeof answer !== "object" || answer === null) return answer;
  const kept = Object.entries(answer).filter(([name]) => !keyFields.has(name.toLowerCase()));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutKeys(value)]));
}
