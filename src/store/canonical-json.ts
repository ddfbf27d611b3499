const unkept = /[\p{Surrogate}\0]/gu;

/** One text for one value: keys sorted, no white space, and neither U+0000 nor half of a character, which no database keeps as it is. */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.replace(unkept, "\ufffd"));
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) return canonicalObject({ ...value });
  return JSON.stringify(value) ?? "null";
}

function canonicalObject(value: Readonly<Record<string, unknown>>): string {
  let members = "";
  for (const key of Object.keys(value).sort()) {
    const each = value[key];
    if (each === undefined) continue;
    members += `${members === "" ? "" : ","}${canonicalJson(key)}:${canonicalJson(each)}`;
  }
  return `{${members}}`;
}
