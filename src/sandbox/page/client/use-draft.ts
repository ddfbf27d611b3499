import { useEffect, useState } from "preact/hooks";
import { begunWord, type Completion, completionsFor, type Directory } from "./completions.ts";

/** What was written and not sent, by its key. */
const drafts = new Map<string, string>();

/** A line being written, and what the word at its cursor could become. */
export function useDraft(key: string, known: Directory, isCommandTaken: boolean) {
  const [text, setText] = useState(drafts.get(key) ?? "");
  const [cursor, setCursor] = useState(0);
  const [active, setActive] = useState(0);
  const [isClosed, setIsClosed] = useState(false);
  useEffect(() => void drafts.set(key, text), [key, text]);

  const word = begunWord(text.slice(0, cursor));
  const isOffering = word !== "" && !isClosed && (isCommandTaken || !word.startsWith("/"));
  const completions = isOffering ? completionsFor(word, known) : [];

  const write = (value: string, at = value.length) => {
    setText(value);
    setCursor(at);
    setActive(0);
    setIsClosed(false);
  };
  /** Puts what was chosen in place of the word; nothing for a shortcut. */
  const complete = ({ insert }: Completion) => {
    const before = text.slice(0, cursor - word.length) + (insert ?? "");
    write(before + text.slice(cursor), before.length);
  };
  const move = (step: number) => setActive((active + step + completions.length) % completions.length);
  return { text, write, completions, active, move, complete, close: () => setIsClosed(true) };
}
