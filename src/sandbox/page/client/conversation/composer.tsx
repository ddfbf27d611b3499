import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useDraft } from "../hooks/use-draft.ts";
import { MenuButton } from "../menu-button.tsx";
import { useSession } from "../session.ts";
import { CompletionList } from "./completion-list.tsx";
import type { Completion } from "./completions.ts";

interface ComposerProps {
  readonly where: string;
  readonly label: string;
  readonly threadTs?: string;
  /** A line from the guide. */
  readonly offered?: string | undefined;
  readonly onOfferTaken?: (() => void) | undefined;
  readonly onSent: () => void;
}

/** The message input. Enter sends, Shift+Enter adds a line, and words that start with /, @ or # are completed. */
export function Composer({ where, label, threadTs, offered, onOfferTaken, onSent }: ComposerProps) {
  const session = useSession();
  const { viewer, act } = session;
  const input = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  // As in Slack, threads do not accept commands.
  const isThread = threadTs !== undefined;
  const draft = useDraft(`${viewer.id} ${where} ${threadTs}`, session, !isThread);
  const { text, completions, active } = draft;
  const isOffering = completions.length > 0;
  useEffect(() => {
    if (offered === undefined) return;
    draft.write(offered);
    draft.close();
    input.current?.focus();
    onOfferTaken?.();
  }, [offered]);

  const run = (name: string) => void act({ kind: "shortcut", name });
  const complete = (completion: Completion) => {
    if (completion.insert === null) run(completion.text);
    draft.complete(completion);
    input.current?.focus();
  };
  const send = async () => {
    const line = text.trim();
    if (line === "") return;
    draft.write("");
    onSent();
    const answer = await act({ kind: "type", text: line, where, ...(isThread ? { threadTs } : {}) });
    if (!answer.ok) draft.write(line);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    if (event.isComposing) return;
    const { key, shiftKey } = event;
    const chosen = completions[active];
    if (chosen && key === "ArrowDown") draft.move(1);
    else if (chosen && key === "ArrowUp") draft.move(-1);
    else if (chosen && (key === "Tab" || key === "Enter")) complete(chosen);
    else if (chosen && key === "Escape") draft.close();
    else if (key === "Enter" && !shiftKey) void send();
    else return;
    event.preventDefault();
  };
  return (
    <div class="composer">
      {isOffering && <CompletionList {...{ id: list, label, completions, active }} onChoose={complete} />}
      <textarea
        ref={input}
        rows={1}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isOffering}
        aria-controls={list}
        aria-activedescendant={isOffering ? `${list}-${active}` : undefined}
        placeholder={label}
        value={text}
        onInput={({ currentTarget }) => draft.write(currentTarget.value, currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-buttons">
        {!isThread && <Shortcuts run={run} runWorkflow={(name) => void act({ kind: "workflow", name, where })} />}
        <button type="button" class="button primary" disabled={text.trim() === ""} onClick={() => void send()}>
          Send
        </button>
      </div>
    </div>
  );
}

interface ShortcutsProps {
  readonly run: (name: string) => void;
  readonly runWorkflow: (name: string) => void;
}

function Shortcuts({ run, runWorkflow }: ShortcutsProps) {
  const { app } = useSession();
  const shortcuts = app.shortcuts
    .filter(({ kind }) => kind === "global")
    .map(({ name }) => ({ text: `${name} · ${app.name}`, run: () => run(name) }));
  const workflows = app.workflows.map((name) => ({ text: `${name} · workflow`, run: () => runWorkflow(name) }));
  const items = [...shortcuts, ...workflows];
  return items.length > 0 ? <MenuButton label="Shortcuts" sign="⚡" items={items} /> : null;
}
