import type { DrawnElement, DrawnImage } from "../../wire.ts";
import { Button } from "./button.tsx";
import type { LabelProps } from "./label-props.ts";
import { MomentInput } from "./moment-input.tsx";
import { Overflow } from "./overflow.tsx";
import { Select } from "./select.tsx";
import { TextInput } from "./text-input.tsx";
import { Ticks } from "./ticks.tsx";

export function Element({
  element,
  ...labelProps
}: { readonly element: Exclude<DrawnElement, DrawnImage> } & LabelProps) {
  switch (element.kind) {
    case "button":
      return <Button element={element} />;
    case "overflow":
      return <Overflow element={element} />;
    case "select":
      return <Select element={element} {...labelProps} />;
    case "checkboxes":
    case "radios":
      return <Ticks element={element} {...labelProps} />;
    case "text":
      return <TextInput element={element} {...labelProps} />;
    case "moment":
      return <MomentInput element={element} {...labelProps} />;
    case "unknown":
      return <span class="remark">[the sandbox does not render elements of type {element.type}]</span>;
    default:
      return element satisfies never;
  }
}
