import type { DrawnElement, DrawnImage } from "../../wire.ts";
import { Button } from "./button.tsx";
import { MomentInput } from "./moment-input.tsx";
import { Overflow } from "./overflow.tsx";
import { Select } from "./select.tsx";
import { TextInput } from "./text-input.tsx";
import { Ticks } from "./ticks.tsx";

export interface Labelled {
  /** What a screen reader calls it. */
  readonly label: string;
  /** Set where a visible label stands beside it. */
  readonly id?: string;
  /** Of hint and error. */
  readonly describedBy?: string | undefined;
  readonly isWrong?: boolean;
}

export function Element({ element, ...labelled }: { readonly element: Exclude<DrawnElement, DrawnImage> } & Labelled) {
  switch (element.kind) {
    case "button":
      return <Button element={element} />;
    case "overflow":
      return <Overflow element={element} />;
    case "select":
      return <Select element={element} {...labelled} />;
    case "checkboxes":
    case "radios":
      return <Ticks element={element} {...labelled} />;
    case "text":
      return <TextInput element={element} {...labelled} />;
    case "moment":
      return <MomentInput element={element} {...labelled} />;
    case "unknown":
      return <span class="remark">[an element of type {element.type}, which the sandbox does not draw]</span>;
    default:
      return element satisfies never;
  }
}
