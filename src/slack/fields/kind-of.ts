import type { Field } from "../../commands/field.ts";
import type { FieldKind } from "./field-kind.ts";
import { choiceKind } from "./kinds/choice.ts";
import { daysKind } from "./kinds/days.ts";
import { emailKind } from "./kinds/email.ts";
import { jsonKind } from "./kinds/json.ts";
import { lengthKind } from "./kinds/length.ts";
import { listKind } from "./kinds/list.ts";
import { extensionKind, momentKind } from "./kinds/moment.ts";
import { numberKind } from "./kinds/number.ts";
import { personKind } from "./kinds/person.ts";
import { recurrenceKind } from "./kinds/recurrence.ts";
import { referenceKind } from "./kinds/reference.ts";
import { resourceIdsKind } from "./kinds/resource-ids.ts";
import { rulesKind } from "./kinds/rules.ts";
import { spanKind } from "./kinds/span.ts";
import { switchKind } from "./kinds/switch.ts";
import { textKind } from "./kinds/text.ts";
import { timeKind } from "./kinds/time.ts";
import { zoneKind } from "./kinds/zone.ts";

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
  days: daysKind,
  length: lengthKind,
  zone: zoneKind,
  json: jsonKind,
  rules: rulesKind,
  list: listKind,
  switch: switchKind,
  recurrence: recurrenceKind,
  span: spanKind,
  person: personKind,
} as const satisfies { [K in Field["kind"]]: FieldKind<Extract<Field, { kind: K }>> };

/** The kind of a field. */
export function kindOf(field: Field): FieldKind<Field> {
  return fieldKinds[field.kind];
}
