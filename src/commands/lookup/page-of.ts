import type { CommandButton } from "../answer.ts";
import { type Input, number } from "../field.ts";

const usualSize = 10;

export const pageField = number({ label: "Page", minimum: 1, optional: true });

interface Page<Item> {
  readonly items: readonly Item[];
  readonly note: string | undefined;
  readonly buttons: readonly CommandButton[];
}

/**
 * One page of a list, with buttons for the pages beside it. `input`: that of the same list on its first page. `size`: fewer where ten
 * items would not fit into a message.
 */
export function pageOf<Item>(
  all: readonly Item[],
  page: number,
  { words, input, size = usualSize }: { readonly words: string; readonly input: Input; readonly size?: number },
): Page<Item> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const shown = Math.min(page, pages);
  const button = (label: string, to: number): readonly CommandButton[] =>
    to >= 1 && to <= pages ? [{ label, words, opens: "result", input: { ...input, page: to } }] : [];
  return {
    items: all.slice((shown - 1) * size, shown * size),
    note: pages > 1 ? `Page ${shown} of ${pages}` : undefined,
    buttons: [...button("Previous", shown - 1), ...button("Next", shown + 1)],
  };
}
