import type { User } from "../state/people.ts";
import { type ViewRecord, viewPayload } from "../state/views.ts";
import { type Exchange, payloadBase, sendInteraction } from "./exchange.ts";

/** Cancel closes one view, the X the whole stack. The app is notified only with `notify_on_close` (PLATFORM.md §7.5). */
export async function closeView(exchange: Exchange, user: User, how: "cancel" | "x"): Promise<void> {
  const { views } = exchange.workspace;
  const stack = views.stackOf(user.id);
  const closed = how === "x" ? stack[0] : stack.at(-1);
  if (closed === undefined) throw new Error(`${user.handle} has no view open.`);
  if (how === "x" || closed.definition.clear_on_close === true) views.closeAll(user.id);
  else views.close(closed.id);
  if (closed.definition.notify_on_close === true) await notify(exchange, user, closed, how === "x");
}

/** The payload contains no state and no trigger. */
async function notify(exchange: Exchange, user: User, view: ViewRecord, isCleared: boolean): Promise<void> {
  const payload = {
    type: "view_closed",
    ...payloadBase(exchange, user),
    view: { ...viewPayload(view, exchange.workspace.app), state: { values: {} } },
    is_cleared: isCleared,
  };
  await sendInteraction(exchange, "interactive", payload);
}
