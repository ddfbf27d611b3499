import { useState } from "preact/hooks";
import type { DrawnButton } from "../../wire.ts";
import { showPlace } from "../hooks/use-route.ts";
import { useSurface } from "../surface.ts";

export function Button({ element }: { readonly element: DrawnButton }) {
  const { on, act, ask } = useSurface();
  const [isBusy, setIsBusy] = useState(false);
  const { text, style, label, url, channel, confirm, blockId, actionId } = element;
  const press = async () => {
    if (isBusy || !(await ask(confirm))) return;
    setIsBusy(true);
    if (channel !== undefined) showPlace(channel);
    else if (url !== undefined) open(url, "_blank", "noopener,noreferrer");
    await act({ kind: "press", on, blockId, actionId });
    setIsBusy(false);
  };
  return (
    <button type="button" class={`button ${style}`} aria-label={label} aria-busy={isBusy} onClick={press}>
      {text}
    </button>
  );
}
