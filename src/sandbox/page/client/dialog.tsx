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
