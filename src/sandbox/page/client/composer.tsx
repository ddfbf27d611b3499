import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { MenuButton } from "./menu-button.tsx";
import { type Option, OptionList, optionId } from "./select.tsx";
import { type Session, useSession } from "./session.ts";

interface ComposerProps {
  readonly where: string;
  readonly label: string;
  readonly threadTs?: string;
  readonly onSent: () => void;
}

/** The message input. Enter sends, Shift+Enter adds a line, and words that start with /, @ or # are completed. */
export function Composer({ where, label, threadTs, onSent }: ComposerProps) {
  const session = useSession();
  const { viewer, act } = session;
  const input = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  // As in Slack, threads do not accept commands.
  const isThread = threadTs !== undefined;
  const draft = useDraft(`${viewer.id} ${where} ${threadTs}`, session, !isThread);
  const { text, completions, active } = draft;
  const isOffering = completions.length > 0;

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
      {isOffering && (
        <OptionList
          name="completions"
          id={list}
          label={`Completions: ${label}`}
          options={completions}
          active={active}
          chosen={completions.slice(active, active + 1).map(({ value }) => value)}
          onChoose={complete}
        />
      )}
      <textarea
        ref={input}
        rows={1}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isOffering}
        aria-controls={list}
        aria-activedescendant={isOffering ? optionId(list, active) : undefined}
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

interface Completion extends Option {
  /** Replaces the typed word; null for a shortcut, which runs instead. */
  readonly insert: string | null;
}

const drafts = new Map<string, string>();

/** The text of a composer, with completions for the word at the cursor. */
function useDraft(key: string, session: Session, allowsCommands: boolean) {
  const [text, setText] = useState(drafts.get(key) ?? "");
  const [cursor, setCursor] = useState(0);
  const [active, setActive] = useState(0);
  const [isClosed, setIsClosed] = useState(false);
  useEffect(() => void drafts.set(key, text), [key, text]);

  /** The word before the cursor, if it can be completed. */
  const word = /^\/\S*$|(?<=^|\s)[@#][\w.-]*$/.exec(text.slice(0, cursor))?.[0] ?? "";
  const isOffering = word !== "" && !isClosed && (allowsCommands || !word.startsWith("/"));
  const completions = isOffering ? completionsFor(word, session) : [];

  const write = (value: string, at = value.length) => {
    setText(value);
    setCursor(at);
    setActive(0);
    setIsClosed(false);
  };
  /** Replaces the word with the completion; removes it for a shortcut. */
  const complete = ({ insert }: Completion) => {
    const before = text.slice(0, cursor - word.length) + (insert ?? "");
    write(before + text.slice(cursor), before.length);
  };
  const move = (step: number) => setActive((active + step + completions.length) % completions.length);
  return { text, write, completions, active, move, complete, close: () => setIsClosed(true) };
}

/** Commands and shortcuts after a slash, the app and people after @, channels after #. */
function completionsFor(word: string, session: Session): readonly Completion[] {
  const prefix = word.toLowerCase();
  return candidates(word.charAt(0), session).filter(({ text, insert }) =>
    (insert ?? `/${text}`).toLowerCase().startsWith(prefix),
  );
}

function candidates(sign: string, { app, people, places }: Session): readonly Completion[] {
  const named = (name: string, description?: string): Completion => ({
    value: name,
    text: sign + name,
    description,
    insert: `${sign}${name} `,
  });
  switch (sign) {
    case "/":
      return [
        ...app.commands.map(({ command, usageHint, description }) => ({
          value: command,
          text: `${command} ${usageHint}`,
          description,
          insert: `${command} `,
        })),
        ...app.shortcuts
          .filter(({ kind }) => kind === "global")
          .map(({ name }) => ({ value: name, text: name, description: `Shortcut · ${app.name}`, insert: null })),
      ];
    case "@":
      return [named(app.name, "App"), ...people.map(({ handle, name }) => named(handle, name))];
    default:
      return places.filter(({ kind }) => kind === "public" || kind === "private").map(({ where }) => named(where));
  }
}
