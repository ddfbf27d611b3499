import type { TargetedFocusEvent, TargetedInputEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DrawnTextInput } from "../../wire.ts";
import { cancelSend, delaySend } from "../connection.ts";
import { useSurface } from "../surface.ts";
import type { LabelProps } from "./label-props.ts";

type Typed = HTMLInputElement | HTMLTextAreaElement;

const debounceMs = 150;

/** Typed text shows immediately. It is sent after a pause, on blur, and before any other act. */
export function TextInput({
  element,
  label,
  id,
  describedBy,
  isWrong,
}: { readonly element: DrawnTextInput } & LabelProps) {
  const { on, key, act } = useSurface();
  const { blockId, actionId, type, isMultiline, placeholder, hasFocus } = element;
  const [text, setText] = useState(element.value);
  const lastSent = useRef(element.value);
  /** Values sent whose echo from the server has not arrived. */
  const pendingEchoes = useRef<string[]>([]);
  const timer = useRef<number>();
  const place = `${key} ${blockId} ${actionId}`;
  useEffect(() => {
    const echo = pendingEchoes.current.indexOf(element.value);
    pendingEchoes.current.splice(0, echo + 1);
    if (echo !== -1 || element.value === lastSent.current) return;
    // The app, or the same person in another window, changed the value.
    lastSent.current = element.value;
    setText(element.value);
  }, [element.value]);
  useEffect(() => () => cancelSend(place), [place]);

  const send = (value: string, isEntered = false) => {
    clearTimeout(timer.current);
    cancelSend(place);
    if (value === lastSent.current && !isEntered) return;
    lastSent.current = value;
    pendingEchoes.current.push(value);
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
    delaySend(place, () => send(value));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(value), debounceMs);
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
    onBlur: ({ currentTarget }: TargetedFocusEvent<Typed>) => send(currentTarget.value),
  };
  if (isMultiline) return <textarea {...shared} rows={3} />;
  return (
    <input
      {...shared}
      type="text"
      inputMode={type === "number" ? "decimal" : type}
      autoComplete="off"
      onKeyDown={(event) => {
        if (event.key === "Enter") send(event.currentTarget.value, true);
      }}
    />
  );
}
