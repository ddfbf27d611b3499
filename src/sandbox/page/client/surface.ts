import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ActAnswer, DrawnConfirm, PageAct, PlaceActedOn } from "../wire.ts";

/** The surface of the elements, and how they act. */
export interface Surface {
  readonly on: PlaceActedOn;
  /** Distinguishes the elements of one surface from another's. */
  readonly key: string;
  readonly act: (act: PageAct) => Promise<ActAnswer>;
  /** Shows the confirmation dialog; resolves true immediately without one. */
  readonly ask: (confirm: DrawnConfirm | undefined) => Promise<boolean>;
}

const context = createContext<Surface>({
  on: "home",
  key: "",
  act: () => Promise.resolve({ ok: false, error: "This element is read-only here." }),
  ask: () => Promise.resolve(true),
});

export const SurfaceProvider = context.Provider;
export const useSurface = (): Surface => useContext(context);
