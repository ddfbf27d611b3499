import type { ComponentChildren, TargetedSubmitEvent } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { plainText } from "../../workspace/json-object.ts";
import type { Json, ShownView } from "../wire.ts";
import { Blocks } from "./blocks.tsx";
import { type Surface, useSession } from "./session.ts";

interface DialogProps {
  readonly labelledBy: string;
  readonly name: "form" | "question";
  readonly onEscape: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. The browser keeps the focus inside and restores it afterwards. */
function Dialog({ labelledBy, name, onEscape, children }: DialogProps) {
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

/** Focuses the first field. Without fields, the browser's choice stays. */
function focusFirst(inside: HTMLElement | null): void {
  inside?.querySelector<HTMLElement>("input, textarea")?.focus({ preventScroll: true });
}

export function Modal({ view }: { readonly view: ShownView }) {
  const { act } = useSession();
  const close = () => void act({ kind: "close", viewId: view.id });
  return (
    <Dialog name="form" labelledBy="view-title" onEscape={close}>
      <header>
        <h2 id="view-title">{view.title}</h2>
        <button type="button" class="button icon" aria-label="Close" onClick={close}>
          ×
        </button>
      </header>
      <ViewForm key={view.id} view={view} onClose={close} />
    </Dialog>
  );
}

function ViewForm({ view, onClose }: { readonly view: ShownView; readonly onClose: () => void }) {
  const { act } = useSession();
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const { state, errors } = view;
  const surface = useMemo((): Surface => ({ on: "view", key: view.id, state, errors }), [view]);
  /** Since the form was sent, until the person goes on. */
  const showsErrors = useRef(false);
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>(".wrong");
    if (!showsErrors.current || isSending) return;
    wrong?.querySelector<HTMLElement>("input, textarea")?.focus({ preventScroll: true });
    wrong?.scrollIntoView({ block: "center" });
  }, [errors, isSending]);
  const goOn = () => {
    showsErrors.current = false;
  };
  useLayoutEffect(() => focusFirst(form.current), []);
  useEffect(() => {
    if (!form.current?.closest("dialog")?.matches(":focus-within")) focusFirst(form.current);
  }, [view.blocks]);

  const send = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending || view.submit === null) return;
    showsErrors.current = true;
    setIsSending(true);
    setError("");
    const answer = await act({ kind: "submit", viewId: view.id });
    setIsSending(false);
    if (!answer.ok) setError(`${answer.error} Try again.`);
  };
  return (
    <form ref={form} noValidate onSubmit={send} onClick={goOn} onKeyDown={goOn}>
      <div class="view-body">
        <Blocks blocks={view.blocks} surface={surface} />
      </div>
      {error !== "" && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <div class="dialog-buttons">
        <button type="button" class="button plain" onClick={onClose}>
          {view.close}
        </button>
        {view.submit !== null && (
          <button type="submit" class="button primary" aria-busy={isSending} disabled={isSending}>
            {isSending ? "Sending…" : view.submit}
          </button>
        )}
      </div>
    </form>
  );
}

interface PendingQuestion {
  readonly confirm: Json;
  readonly answer: (isYes: boolean) => void;
}

/** Confirmation dialogs: a function that asks, and the question being asked. */
export function useQuestion() {
  const [question, setQuestion] = useState<PendingQuestion | undefined>();
  const ask = useCallback((confirm: Json | undefined): Promise<boolean> => {
    if (confirm === undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      const answer = (isYes: boolean) => {
        setQuestion(undefined);
        resolve(isYes);
      };
      setQuestion({ confirm, answer });
    });
  }, []);
  return [ask, question] as const;
}

export function Question({ question: { confirm, answer } }: { readonly question: PendingQuestion }) {
  return (
    <Dialog name="question" labelledBy="question-title" onEscape={() => answer(false)}>
      <h2 id="question-title">{plainText(confirm.title)}</h2>
      <p>{plainText(confirm.text)}</p>
      <div class="dialog-buttons">
        <button type="button" class="button plain" onClick={() => answer(false)}>
          {plainText(confirm.deny)}
        </button>
        <button
          type="button"
          class={`button ${confirm.style === "danger" ? "danger" : "primary"}`}
          onClick={() => answer(true)}
        >
          {plainText(confirm.confirm)}
        </button>
      </div>
    </Dialog>
  );
}
