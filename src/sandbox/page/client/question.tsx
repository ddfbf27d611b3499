import { useCallback, useState } from "preact/hooks";
import type { DrawnConfirm } from "../wire.ts";
import { Dialog } from "./dialog.tsx";

export interface Asked {
  readonly confirm: DrawnConfirm;
  readonly answer: (isYes: boolean) => void;
}

/** Questions that stand before something is sent: the function that asks, and the one being asked. */
export function useQuestion(): readonly [(confirm: DrawnConfirm | undefined) => Promise<boolean>, Asked | undefined] {
  const [asked, setAsked] = useState<Asked | undefined>();
  const ask = useCallback((confirm: DrawnConfirm | undefined): Promise<boolean> => {
    if (confirm === undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      const answer = (isYes: boolean) => {
        setAsked(undefined);
        resolve(isYes);
      };
      setAsked({ confirm, answer });
    });
  }, []);
  return [ask, asked];
}

export function Question({ asked: { confirm, answer } }: { readonly asked: Asked }) {
  return (
    <Dialog name="question" labelledBy="question-title" onEscape={() => answer(false)}>
      <h2 id="question-title">{confirm.title}</h2>
      <p>{confirm.text}</p>
      <div class="dialog-buttons">
        <button type="button" class="button plain" onClick={() => answer(false)}>
          {confirm.deny}
        </button>
        <button type="button" class={`button ${confirm.isDanger ? "danger" : "primary"}`} onClick={() => answer(true)}>
          {confirm.confirm}
        </button>
      </div>
    </Dialog>
  );
}
