import type { ModalView } from "@slack/types";
import { limits } from "../messages/message.ts";
import { readMeta } from "./form-meta.ts";

type Values = Readonly<Record<string, unknown>>;

/** A form's values, with those of inputs that a choice took away before. */
export function withAside(values: unknown, aside: Values = {}): Values {
  return typeof values === "object" && values !== null ? { ...aside, ...values } : aside;
}

/**
 * Keeps in the metadata what was typed into inputs that the form no longer has, for when they come back. What does not fit is kept by
 * Slack only until the next redraw.
 */
export function putAside(view: ModalView, values: Values): ModalView {
  const meta = readMeta(view.private_metadata ?? "");
  if (!meta) return view;
  const drawn = new Set(view.blocks.map(({ block_id }) => fieldOf(block_id ?? "")));
  const aside = Object.fromEntries(
    Object.entries(values).filter(([block, value]) => !drawn.has(fieldOf(block)) && isFilled(value)),
  );
  const { aside: _former, ...rest } = meta;
  const kept = JSON.stringify(Object.keys(aside).length > 0 ? { ...rest, aside } : rest);
  return kept.length > limits.privateMetadata ? view : { ...view, private_metadata: kept };
}

/** A ready answer gives a field a new block, with a number behind its id. */
const fieldOf = (blockId: string): string => blockId.replace(/#\d+$/, "");

/** Whether somebody typed or chose something. */
function isFilled(block: unknown): boolean {
  const states: unknown[] = typeof block === "object" && block !== null ? Object.values(block) : [];
  return states.some((state) => {
    const { type: _type, ...rest } = Object(state);
    return Object.values(rest).some(
      (value) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0),
    );
  });
}
