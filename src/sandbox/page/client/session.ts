import { type Context, createContext } from "preact";
import { useCallback, useContext, useEffect, useState } from "preact/hooks";
import { isJsonObject, objectAt, stringAt } from "../../workspace/json-object.ts";
import type { Viewer } from "../../workspace/mrkdwn.ts";
import type {
  ActAnswer,
  Conversation,
  HeldValue,
  Json,
  PageAct,
  PageParts,
  PanelAct,
  PlaceActedOn,
  SurfaceShown,
} from "../wire.ts";

/** What the viewer of this client sees, and how they act. */
export interface Session extends PageParts {
  readonly conversations: Readonly<Record<string, Conversation>>;
  readonly unseen: Readonly<Record<string, number>>;
  readonly route: Route;
  readonly go: (changes: Partial<Route>) => void;
  readonly reader: Viewer;
  /** Shows errors to the viewer. */
  readonly act: (act: PageAct) => Promise<ActAnswer>;
  readonly perform: (act: PanelAct) => Promise<void>;
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
interface LabelProps {
  readonly label: string;
  /** Set when a visible label exists. */
  readonly id?: string;
  /** The ids of hint and error. */
  readonly describedBy?: string | undefined;
  readonly isWrong?: boolean;
}

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
    confirm: () => ask(isJsonObject(element.confirm) ? element.confirm : undefined),
    set: (value: HeldValue, isEntered?: boolean) =>
      act({ kind: "set", ...place, value, ...(isEntered ? { isEntered } : {}) }),
    press: (option?: string) => act({ kind: "press", ...place, ...(option === undefined ? {} : { option }) }),
  };
}

/** Times in the viewer's zone. */
export function timeOfDay(at: number, zone: string): string {
  return format(at, zone, { hour: "2-digit", minute: "2-digit" });
}

export function dayAndTime(at: number, zone: string): string {
  return format(at, zone, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

export function dayOf(at: number, zone: string): string {
  return format(at, zone, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

function format(at: number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(at);
}

/** The sandbox's time, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now + useSession().clock.aheadMs;
}

interface Optimistic<T> {
  readonly value: T;
  readonly isPending: boolean;
}

/** Long enough for the server to send the accepted value, which then counts. */
const maxHoldMs = 1000;

/**
 * Shows a new choice immediately, until the server sends its own value. While the choice is on its way, a server value for an
 * earlier choice does not undo it.
 */
export function useOptimisticValue<T>(
  serverValue: T,
): readonly [T, (value: T, act: () => Promise<ActAnswer>) => Promise<void>] {
  const serialized = JSON.stringify(serverValue);
  const [optimistic, setOptimistic] = useState<Optimistic<T> | undefined>();
  useEffect(() => {
    setOptimistic((current) =>
      current?.isPending && JSON.stringify(current.value) !== serialized ? current : undefined,
    );
  }, [serialized]);
  const apply = async (value: T, act: () => Promise<ActAnswer>) => {
    const pending = { value, isPending: true };
    const accepted = { value, isPending: false };
    setOptimistic(pending);
    const answer = await act();
    setOptimistic((current) => (current !== pending ? current : answer.ok ? accepted : undefined));
    setTimeout(() => setOptimistic((current) => (current === accepted ? undefined : current)), maxHoldMs);
  };
  return [optimistic ? optimistic.value : serverValue, apply];
}

/** The viewer and the place, from the URL: `#alice/ops`, `#alice/dm/messages`. */
export interface Route {
  readonly as: string;
  readonly where: string;
  readonly tab: "home" | "messages";
}

export const firstRoute: Route = { as: "alice", where: "ops", tab: "home" };

export function addressOf({ as, where, tab }: Route): string {
  const parts = [as, where, ...(where === "dm" ? [tab] : [])];
  return `#${parts.map(encodeURIComponent).join("/")}`;
}

export function useRoute(): readonly [Route, (changes: Partial<Route>) => void] {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const read = () => setRoute(readRoute(location.hash));
    addEventListener("hashchange", read);
    // The URL may have changed since the first read.
    read();
    return () => removeEventListener("hashchange", read);
  }, []);
  const go = useCallback((changes: Partial<Route>) => changeRoute(changes), []);
  return [route, go];
}

export const showPlace = (where: string): void => changeRoute({ where });

function changeRoute(changes: Partial<Route>): void {
  location.hash = addressOf({ ...readRoute(location.hash), ...changes });
}

function readRoute(hash: string): Route {
  const [as = "", where = "", tab] = hash.replace(/^#/, "").split("/").map(decoded);
  return {
    as: as || firstRoute.as,
    where: where || firstRoute.where,
    tab: tab === "messages" ? tab : "home",
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
