import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly labelledBy: string;
  readonly name: "form" | "question";
  /** Escape was pressed. */
  readonly onEscape: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog: the browser keeps the focus in it, and gives it back to where it was. */
export function Dialog({ labelledBy, name, onEscape, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    focusFirst(opened);
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={name}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        // What Escape does is told to the app first.
        event.preventDefault();
        onEscape();
      }}
    >
      {children}
    </dialog>
  );
}

/** The field that asks for the focus, or the first; a dialog without fields leaves it where the browser puts it. */
export function focusFirst(inside: HTMLElement | null): void {
  const field =
    inside?.querySelector<HTMLElement>("[autofocus]") ?? inside?.querySelector<HTMLElement>("input, textarea");
  field?.focus({ preventScroll: true });
}
