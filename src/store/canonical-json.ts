const unkept = /[\p{Surrogate}\0]/gu;

/** One text for one value: keys sorted, no white space, and neither U+0000 nor half of a character, which no database keeps as it is. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) return canonicalObject(value);
  if (typeof value === "string") return JSON.stringify(value.replace(unkept, "\ufffd"));
  return JSON.stringify(value) ?? "null";
}

function canonicalObject(value: object): string {
  const told = Object.entries(value).filter(([, each]) => each !== undefined);
  const sorted = told.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([key, each]) => `${canonicalJson(key)}:${canonicalJson(each)}`).join(",")}}`;
}
