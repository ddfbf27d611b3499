import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ActAnswer, AppShown, DrawnPlace, PageAct, PersonShown } from "../wire.ts";
import type { Surface } from "./surface.ts";

/** The viewer of this client and how they act. */
export interface Session {
  readonly viewer: PersonShown;
  readonly people: readonly PersonShown[];
  readonly places: readonly DrawnPlace[];
  readonly app: AppShown;
  /** Shows errors to the viewer. */
  readonly act: (act: PageAct) => Promise<ActAnswer>;
  readonly ask: Surface["ask"];
}

const context = createContext<Session | undefined>(undefined);

export const SessionProvider = context.Provider;

export function useSession(): Session {
  const session = useContext(context);
  if (session === undefined) throw new Error("useSession needs a SessionProvider above it.");
  return session;
}
