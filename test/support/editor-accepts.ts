import { readFileSync } from "node:fs";
import { Ajv } from "ajv";

/** Whether an editor that knows manifest/curfew.schema.json marks nothing in this content of a curfew.yaml. */
export const editorAccepts = new Ajv({
  strict: false,
  formats: { uri: (text: string) => URL.canParse(text), email: (text: string) => text.includes("@") },
}).compile<unknown>(Object(JSON.parse(readFileSync("manifest/curfew.schema.json", "utf8"))));
