import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ActAnswer, AppShown, DrawnPlace, PageAct, PersonShown } from "../wire.ts";
import type { Surface } from "./surface.ts";

/** Whose client this is, and how they act. */
export interface Session {
  readonly viewer: PersonShown;
  readonly people: readonly PersonShown[];
  readonly places: readonly DrawnPlace[];
  readonly app: AppShown;
  /** What goes wrong is shown to the viewer. */
  readonly act: (act: PageAct) => Promise<ActAnswer>;
  readonly ask: Surface["ask"];
}

const context = createContext<Session | undefined>(undefined);

export const SessionProvider = context.Provider;

export function useSession(): Session {
  const session = useContext(context);
  if (session === undefined) throw new Error("Nobody is at the page yet.");
  return session;
}
