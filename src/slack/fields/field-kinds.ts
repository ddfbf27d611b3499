import type { Field } from "../../commands/field.ts";
import { choiceKind } from "./choice.ts";
import { emailKind } from "./email.ts";
import type { FieldKind } from "./field-kind.ts";
import { jsonKind } from "./json.ts";
import { listKind } from "./list.ts";
import { extensionKind, momentKind } from "./moment.ts";
import { numberKind } from "./number.ts";
import { personKind } from "./person.ts";
import { referenceKind } from "./reference.ts";
import { resourceIdsKind } from "./resource-ids.ts";
import { rulesKind } from "./rules.ts";
import { switchKind } from "./switch.ts";
import { textKind } from "./text.ts";
import { timeKind } from "./time.ts";
import { zoneKind } from "./zone.ts";

const fieldKinds = {
  text: textKind,
  choice: choiceKind,
  reference: referenceKind,
  "resource-ids": resourceIdsKind,
  moment: momentKind,
  extension: extensionKind,
  number: numberKind,
  email: emailKind,
  time: timeKind,
  zone: zoneKind,
  json: jsonKind,
  rules: rulesKind,
  list: listKind,
  switch: switchKind,
  person: personKind,
} as const satisfies { [K in Field["kind"]]: FieldKind<Extract<Field, { kind: K }>> };

/** The kind of a field. */
export function kindOf(field: Field): FieldKind<Field> {
  return fieldKinds[field.kind];
}
