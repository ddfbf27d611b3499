import type { Field } from "../../commands/field.ts";
import { choiceKind } from "./choice.ts";
import type { FieldKind } from "./field-kind.ts";
import { extensionKind, momentKind } from "./moment.ts";
import { numberKind } from "./number.ts";
import { referenceKind } from "./reference.ts";
import { resourceIdsKind } from "./resource-ids.ts";
import { textKind } from "./text.ts";

const fieldKinds = {
  text: textKind,
  choice: choiceKind,
  reference: referenceKind,
  "resource-ids": resourceIdsKind,
  moment: momentKind,
  extension: extensionKind,
  number: numberKind,
} as const satisfies { [K in Field["kind"]]: FieldKind<Extract<Field, { kind: K }>> };

/** How fields of this one's kind are read and drawn. */
export function kindOf(field: Field): FieldKind<Field> {
  return fieldKinds[field.kind];
}
