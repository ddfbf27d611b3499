import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  readonly labelledBy: string;
  readonly name: "form" | "question";
  /** Called when Escape is pressed. */
  readonly onEscape: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. The browser keeps the focus inside and restores it afterwards. */
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
        // The app must know first, so the browser must not close the dialog itself.
        event.preventDefault();
        onEscape();
      }}
    >
      {children}
    </dialog>
  );
}

/** Focuses the field with autofocus, or the first field. Without fields, the browser's choice stays. */
export function focusFirst(inside: HTMLElement | null): void {
  const field =
    inside?.querySelector<HTMLElement>("[autofocus]") ?? inside?.querySelector<HTMLElement>("input, textarea");
  field?.focus({ preventScroll: true });
}
