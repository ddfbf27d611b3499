import { useCallback, useState } from "preact/hooks";
import type { DrawnConfirm } from "../../wire.ts";
import { Dialog } from "./dialog.tsx";

export interface PendingQuestion {
  readonly confirm: DrawnConfirm;
  readonly answer: (isYes: boolean) => void;
}

/** Confirmation dialogs: a function that asks, and the question being asked. */
export function useQuestion(): readonly [
  (confirm: DrawnConfirm | undefined) => Promise<boolean>,
  PendingQuestion | undefined,
] {
  const [question, setQuestion] = useState<PendingQuestion | undefined>();
  const ask = useCallback((confirm: DrawnConfirm | undefined): Promise<boolean> => {
    if (confirm === undefined) return Promise.resolve(true);
    return new Promise((resolve) => {
      const answer = (isYes: boolean) => {
        setQuestion(undefined);
        resolve(isYes);
      };
      setQuestion({ confirm, answer });
    });
  }, []);
  return [ask, question];
}

export function Question({ question: { confirm, answer } }: { readonly question: PendingQuestion }) {
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
