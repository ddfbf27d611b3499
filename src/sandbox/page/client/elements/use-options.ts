import { useEffect, useRef, useState } from "preact/hooks";
import type { DrawnOption, DrawnSelect } from "../../wire.ts";
import { useSurface } from "../surface.ts";

export interface Offered {
  readonly options: readonly DrawnOption[];
  /** Shown instead of options. */
  readonly note: string;
}

const debounceMs = 200;

/** The options for a query: the menu's own ones that match, or the app's search results. */
export function useOptions(element: DrawnSelect, query: string, isOpen: boolean): Offered {
  const { on, act } = useSurface();
  const { blockId, actionId, options, searchesFrom } = element;
  const [found, setFound] = useState<readonly DrawnOption[] | undefined>();
  const latest = useRef(0);
  const isSearched = searchesFrom !== undefined && query.length >= searchesFrom;
  useEffect(() => {
    if (!isOpen || !isSearched) return undefined;
    latest.current += 1;
    const request = latest.current;
    setFound(undefined);
    const timer = setTimeout(
      async () => {
        const answer = await act({ kind: "search", on, blockId, actionId, query });
        if (request === latest.current) setFound(answer.ok ? (answer.options ?? []) : []);
      },
      query === "" ? 0 : debounceMs,
    );
    return () => clearTimeout(timer);
  }, [isOpen, isSearched, query, blockId, actionId]);

  if (searchesFrom === undefined) return offered(options.filter(({ text }) => hasWords(text, query)));
  if (!isSearched) return { options: [], note: `Type at least ${searchesFrom} characters.` };
  return found === undefined ? { options: [], note: "Searching…" } : offered(found);
}

function offered(options: readonly DrawnOption[]): Offered {
  return { options, note: options.length === 0 ? "No results." : "" };
}

function hasWords(text: string, query: string): boolean {
  const wanted = query.toLowerCase().split(/\s+/);
  return wanted.every((word) => text.toLowerCase().includes(word));
}
