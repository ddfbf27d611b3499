import { isJsonObject, type JsonObject } from "../json-object.ts";
import { plainText } from "./composition-rules.ts";
import { byType, characters, flag, problem, type Rule, typed } from "./rule.ts";
import { validateBlocks } from "./validate-message.ts";

/** The error code for a view with more than 250 KB of JSON (PLATFORM.md §7.1). Check with `isViewTooLarge`. */
export const viewTooLarge = "view_too_large";

/** The problems for which Slack rejects a modal or Home view. Does not check the size. */
export function validateView(view: unknown): string[] {
  return [...viewRule(view, "/view")];
}

export function isViewTooLarge(view: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(view) ?? "") > 250_000;
}

const shared = {
  private_metadata: characters(0, 3000),
  callback_id: characters(0, 255),
  external_id: characters(0, 255),
};

const viewRule: Rule = byType({
  modal: typed(
    { title: plainText(24), blocks: (blocks, pointer) => validateBlocks(blocks, "modal", pointer) },
    { submit: plainText(24), close: plainText(24), clear_on_close: flag, notify_on_close: flag, ...shared },
    inputsNeedSubmit,
  ),
  home: typed({ blocks: (blocks, pointer) => validateBlocks(blocks, "home", pointer) }, shared),
});

function inputsNeedSubmit(view: JsonObject, pointer: string): readonly string[] {
  const blocks: readonly unknown[] = Array.isArray(view.blocks) ? view.blocks : [];
  const first = blocks.findIndex((block) => isJsonObject(block) && block.type === "input");
  if (first === -1 || view.submit !== undefined) return [];
  return problem("must define `submit` to use an `input` block in modals", `${pointer}/blocks/${first}/input`);
}
