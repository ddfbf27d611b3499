import type { TargetedFocusEvent, TargetedInputEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DrawnTextInput } from "../../wire.ts";
import { forget, notifySoon } from "../connection.ts";
import { useSurface } from "../surface.ts";
import type { Labelled } from "./element.tsx";

type Typed = HTMLInputElement | HTMLTextAreaElement;

const pauseMs = 150;

/** What is typed stands here first; it is told after a pause, on leaving, and before anything else is done. */
export function TextInput({
  element,
  label,
  id,
  describedBy,
  isWrong,
}: { readonly element: DrawnTextInput } & Labelled) {
  const { on, key, act } = useSurface();
  const { blockId, actionId, type, isMultiline, placeholder, hasFocus } = element;
  const [text, setText] = useState(element.value);
  const told = useRef(element.value);
  /** What was told and has not come back yet. */
  const underWay = useRef<string[]>([]);
  const timer = useRef<number>();
  const place = `${key} ${blockId} ${actionId}`;
  useEffect(() => {
    const echo = underWay.current.indexOf(element.value);
    underWay.current.splice(0, echo + 1);
    if (echo !== -1 || element.value === told.current) return;
    // Somebody else, or the app, put something there.
    told.current = element.value;
    setText(element.value);
  }, [element.value]);
  useEffect(() => () => forget(place), [place]);

  const tell = (value: string, isEntered = false) => {
    clearTimeout(timer.current);
    forget(place);
    if (value === told.current && !isEntered) return;
    told.current = value;
    underWay.current.push(value);
    void act({
      kind: "set",
      on,
      blockId,
      actionId,
      value: value === "" ? null : value,
      ...(isEntered ? { isEntered } : {}),
    });
  };
  const typed = (value: string) => {
    setText(value);
    notifySoon(place, () => tell(value));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => tell(value), pauseMs);
  };
  const shared = {
    id,
    value: text,
    placeholder,
    autofocus: hasFocus ?? false,
    "aria-label": id ? undefined : label,
    "aria-describedby": describedBy,
    "aria-invalid": isWrong ?? false,
    onInput: ({ currentTarget }: TargetedInputEvent<Typed>) => typed(currentTarget.value),
    onBlur: ({ currentTarget }: TargetedFocusEvent<Typed>) => tell(currentTarget.value),
  };
  if (isMultiline) return <textarea {...shared} rows={3} />;
  return (
    <input
      {...shared}
      type="text"
      inputMode={type === "number" ? "decimal" : type}
      autoComplete="off"
      onKeyDown={(event) => {
        if (event.key === "Enter") tell(event.currentTarget.value, true);
      }}
    />
  );
}
