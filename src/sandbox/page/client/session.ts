import { type Context, createContext } from "preact";
import { useContext } from "preact/hooks";
import { isJsonObject, objectAt, stringAt } from "../../workspace/json-object.ts";
import type { Viewer } from "../../workspace/render/format-date.ts";
import type {
  ActAnswer,
  AppShown,
  HeldValue,
  Json,
  PageAct,
  PersonShown,
  Place,
  PlaceActedOn,
  SurfaceShown,
} from "../wire.ts";

/** The viewer of this client and how they act. */
export interface Session {
  readonly viewer: PersonShown;
  readonly people: readonly PersonShown[];
  readonly places: readonly Place[];
  readonly app: AppShown;
  /** How the viewer reads names and times. */
  readonly reader: Viewer;
  /** Shows errors to the viewer. */
  readonly act: (act: PageAct) => Promise<ActAnswer>;
  /** Shows a confirmation dialog of Slack; resolves true immediately without one. */
  readonly ask: (confirm: Json | undefined) => Promise<boolean>;
}

/** The message, form or Home tab that elements are on, with what they hold. */
export interface Surface extends Pick<SurfaceShown, "state" | "errors"> {
  readonly on: PlaceActedOn;
  /** Distinguishes the elements of one surface from another's. */
  readonly key: string;
}

const session = createContext<Session | undefined>(undefined);
const surface = createContext<Surface | undefined>(undefined);

export const SessionProvider = session.Provider;
export const SurfaceProvider = surface.Provider;
export const useSession = (): Session => provided(session);
export const useSurface = (): Surface => provided(surface);

function provided<T>(context: Context<T | undefined>): T {
  const value = useContext(context);
  if (value === undefined) throw new Error("This needs its provider above it.");
  return value;
}

/** What every input needs for people who hear the page. */
export interface LabelProps {
  /** The name for screen readers. */
  readonly label: string;
  /** Set when a visible label exists. */
  readonly id?: string;
  /** The ids of hint and error. */
  readonly describedBy?: string | undefined;
  readonly isWrong?: boolean;
}

/** One of Slack's elements in its block. */
export interface ElementProps extends LabelProps {
  readonly element: Json;
  readonly block: Json;
}

/** What an element holds, and how the viewer acts on it. */
export function useElement({ element, block }: Pick<ElementProps, "element" | "block">) {
  const { on, key, state } = useSurface();
  const { act, ask } = useSession();
  const [blockId, actionId] = [stringAt(block.block_id) ?? "", stringAt(element.action_id) ?? ""];
  const place = { on, blockId, actionId };
  return {
    key: `${key} ${blockId} ${actionId}`,
    place,
    act,
    held: objectAt(state[blockId]?.[actionId]),
    /** Shows the element's confirmation dialog. */
    confirm: () => ask(isJsonObject(element.confirm) ? element.confirm : undefined),
    set: (value: HeldValue, isEntered?: boolean) =>
      act({ kind: "set", ...place, value, ...(isEntered ? { isEntered } : {}) }),
    press: (option?: string) => act({ kind: "press", ...place, ...(option === undefined ? {} : { option }) }),
  };
}
