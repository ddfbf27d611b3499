import { useId } from "preact/hooks";
import type { DrawnTicks } from "../../wire.ts";
import { RichText } from "../blocks/rich-text.tsx";
import { useSurface } from "../surface.ts";
import type { LabelProps } from "./label-props.ts";
import { useOptimisticValue } from "./use-optimistic-value.ts";

/** Checkboxes or radio buttons. */
export function Ticks({ element, label, id, describedBy }: { readonly element: DrawnTicks } & LabelProps) {
  const { on, act, ask } = useSurface();
  const group = useId();
  const { kind, options, blockId, actionId, confirm } = element;
  const [chosen, setChosen] = useOptimisticValue(element.chosen);
  const isMany = kind === "checkboxes";
  const choose = async (value: string, input: HTMLInputElement) => {
    const others = chosen.filter((each) => each !== value);
    const next = isMany ? (input.checked ? [...chosen, value] : others) : [value];
    if (await ask(confirm))
      await setChosen(next, () => act({ kind: "set", on, blockId, actionId, value: isMany ? next : value }));
    else input.checked = chosen.includes(value);
  };
  return (
    <fieldset
      class="ticks"
      aria-labelledby={id && `${id}-label`}
      aria-label={id ? undefined : label}
      aria-describedby={describedBy}
    >
      {options.map(({ value, text, rich, description }) => (
        <label key={value}>
          <input
            type={isMany ? "checkbox" : "radio"}
            name={group}
            checked={chosen.includes(value)}
            onChange={(event) => void choose(value, event.currentTarget)}
          />
          <span>
            {rich ? <RichText text={rich} /> : text}
            {description && (
              <span class="hint">
                <RichText text={description} />
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
