import { useEffect, useState } from "preact/hooks";
import { type Completion, completableWord, completionsFor, type Directory } from "../conversation/completions.ts";

/** Unsent text by key. */
const drafts = new Map<string, string>();

/** The text of a composer, with completions for the word at the cursor. */
export function useDraft(key: string, directory: Directory, allowsCommands: boolean) {
  const [text, setText] = useState(drafts.get(key) ?? "");
  const [cursor, setCursor] = useState(0);
  const [active, setActive] = useState(0);
  const [isClosed, setIsClosed] = useState(false);
  useEffect(() => void drafts.set(key, text), [key, text]);

  const word = completableWord(text.slice(0, cursor));
  const isOffering = word !== "" && !isClosed && (allowsCommands || !word.startsWith("/"));
  const completions = isOffering ? completionsFor(word, directory) : [];

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
