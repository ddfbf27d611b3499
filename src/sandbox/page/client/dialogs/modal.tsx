import type { TargetedSubmitEvent } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ActAnswer, DrawnView, PageAct } from "../../wire.ts";
import { Blocks } from "../blocks/blocks.tsx";
import { type Surface, SurfaceProvider } from "../surface.ts";
import { Dialog, focusFirst } from "./dialog.tsx";

interface ModalProps {
  /** Bottom first. */
  readonly views: readonly [DrawnView, ...DrawnView[]];
  readonly act: (act: PageAct) => Promise<ActAnswer>;
  readonly ask: Surface["ask"];
}

/** Shows the topmost of the open views. */
export function Modal({ views, act, ask }: ModalProps) {
  const view = views[views.length - 1] ?? views[0];
  const isStacked = views.length > 1;
  const close = (isAll: boolean) => void act({ kind: "close", viewId: view.id, isAll });
  return (
    <Dialog name="form" labelledBy="view-title" onEscape={() => close(false)}>
      <header>
        {isStacked && (
          <button type="button" class="button icon" aria-label="Back" onClick={() => close(false)}>
            ‹
          </button>
        )}
        <h2 id="view-title">{view.title}</h2>
        <button type="button" class="button icon" aria-label="Close" onClick={() => close(true)}>
          ×
        </button>
      </header>
      <ViewForm key={view.id} view={view} act={act} ask={ask} onClose={() => close(false)} />
    </Dialog>
  );
}

interface ViewFormProps extends Pick<ModalProps, "act" | "ask"> {
  readonly view: DrawnView;
  readonly onClose: () => void;
}

function ViewForm({ view, act, ask, onClose }: ViewFormProps) {
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const surface = useMemo((): Surface => ({ on: "view", key: view.id, act, ask }), [view.id, act, ask]);
  const wrong = view.blocks.filter((block) => block.kind === "input" && block.error !== "").length;
  useEffect(() => {
    if (wrong > 0) form.current?.querySelector<HTMLElement>('.wrong :is(input, textarea, [role="combobox"])')?.focus();
  }, [wrong]);
  useLayoutEffect(() => focusFirst(form.current), []);
  useEffect(() => {
    if (!form.current?.closest("dialog")?.matches(":focus-within")) focusFirst(form.current);
  }, [view.blocks]);

  const send = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending || view.submit === null) return;
    setIsSending(true);
    setError("");
    const answer = await act({ kind: "submit", viewId: view.id });
    setIsSending(false);
    if (!answer.ok) setError(`${answer.error} Try again.`);
  };
  return (
    <form ref={form} noValidate onSubmit={send}>
      <div class="view-body">
        <SurfaceProvider value={surface}>
          <Blocks blocks={view.blocks} />
        </SurfaceProvider>
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
