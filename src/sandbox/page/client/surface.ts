import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ActAnswer, DrawnConfirm, PageAct, PlaceActedOn } from "../wire.ts";

/** Where elements stand and what they can do. */
export interface Surface {
  readonly on: PlaceActedOn;
  /** Tells one surface's elements from another's. */
  readonly key: string;
  readonly act: (act: PageAct) => Promise<ActAnswer>;
  /** Asks what Slack asks before it sends something; true at once where nothing is to be asked. */
  readonly ask: (confirm: DrawnConfirm | undefined) => Promise<boolean>;
}

const context = createContext<Surface>({
  on: "home",
  key: "",
  act: () => Promise.resolve({ ok: false, error: "This is only shown." }),
  ask: () => Promise.resolve(true),
});

export const SurfaceProvider = context.Provider;
export const useSurface = (): Surface => useContext(context);
