import { useEffect, useState } from "preact/hooks";
import type { DrawnMoment, HeldValue } from "../../wire.ts";
import { useSurface } from "../surface.ts";
import type { LabelProps } from "./label-props.ts";

/** A date, a time, or both. Sent only when every part is filled in. */
export function MomentInput({
  element,
  label,
  id,
  describedBy,
  isWrong,
}: { readonly element: DrawnMoment } & LabelProps) {
  const { on, act, ask } = useSurface();
  const { parts, zone, blockId, actionId, confirm } = element;
  const [date, setDate] = useState(element.date ?? "");
  const [time, setTime] = useState(element.time ?? "");
  useEffect(() => setDate(element.date ?? ""), [element.date]);
  useEffect(() => setTime(element.time ?? ""), [element.time]);

  const send = async (day: string, clock: string) => {
    const value = heldFor(parts, day, clock);
    if (value === undefined) return;
    if (await ask(confirm)) await act({ kind: "set", on, blockId, actionId, value });
  };
  const described = { "aria-describedby": describedBy, "aria-invalid": isWrong ?? false };
  return (
    <fieldset class="moment" aria-labelledby={id && `${id}-label`} aria-label={id ? undefined : label}>
      {parts !== "time" && (
        <input
          type="date"
          value={date}
          aria-label={`${label}: day`}
          {...described}
          onChange={(event) => {
            setDate(event.currentTarget.value);
            void send(event.currentTarget.value, time);
          }}
        />
      )}
      {parts !== "date" && (
        <input
          type="time"
          value={time}
          aria-label={`${label}: time, ${zone}`}
          {...described}
          onChange={(event) => {
            setTime(event.currentTarget.value);
            void send(date, event.currentTarget.value);
          }}
        />
      )}
      {parts !== "date" && <span class="hint">{zone}</span>}
    </fieldset>
  );
}

/** Undefined while one of the two parts is missing. */
function heldFor(parts: DrawnMoment["parts"], date: string, time: string): HeldValue | undefined {
  if (parts === "date") return date || null;
  if (parts === "time") return time || null;
  if (date === "" && time === "") return null;
  return date === "" || time === "" ? undefined : { date, time };
}
