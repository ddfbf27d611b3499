import type { DrawnOverflow } from "../../wire.ts";
import { MenuButton } from "../menu-button.tsx";
import { useSurface } from "../surface.ts";

export function Overflow({ element }: { readonly element: DrawnOverflow }) {
  const { on, act, ask } = useSurface();
  const { blockId, actionId, confirm } = element;
  const items = element.options.map(({ text, value, url }) => ({
    text,
    run: async () => {
      if (!(await ask(confirm))) return;
      if (url !== undefined) open(url, "_blank", "noopener,noreferrer");
      await act({ kind: "press", on, blockId, actionId, option: value });
    },
  }));
  return <MenuButton label="More choices" items={items} />;
}
