import type { Surface } from "../interactions/block-actions.ts";
import type { Exchange } from "../interactions/exchange.ts";
import type { StoredMessage } from "../state/messages.ts";
import type { User } from "../state/people.ts";
import type { ViewRecord } from "../state/views.ts";
import { initialState, type StateValues } from "../validate/state-values.ts";
import type { FormField } from "./form-fields.ts";

/** A message, the person's topmost view, or their Home tab. */
export type Place = Pick<StoredMessage, "channelId" | "ts"> | "view" | "home";

/** The surface as it is now. Throws for a message that is gone or that this person cannot see. */
export function findSurface(
  { workspace }: Exchange,
  user: User,
  place: Place,
  top: () => ViewRecord,
  choices: ReadonlyMap<string, StateValues>,
): Surface {
  if (place === "view") return { kind: "view", view: top() };
  if (place === "home") {
    const view = workspace.views.homeOf(user.id);
    if (view === undefined) throw new Error(`${user.handle}'s Home tab is empty.`);
    return { kind: "view", view };
  }
  const message = workspace.messages.get(place.channelId, place.ts);
  if (message === undefined) throw new Error("The message is gone.");
  const isMember = workspace.channels.named(message.channelId).memberIds.includes(user.id);
  const isForThem = message.ephemeralTo === undefined || message.ephemeralTo === user.id;
  if (!isMember || !isForThem) throw new Error(`${user.handle} does not see this message.`);
  return { kind: "message", message, state: choices.get(message.ts) ?? initialState(message.blocks) };
}

/** The surface with that field filled in. A choice in a message belongs to this person only. */
export function keepValue(
  { workspace }: Exchange,
  surface: Surface,
  { blockId, actionId }: FormField,
  value: StateValues[string][string],
  choices: Map<string, StateValues>,
): Surface {
  if (surface.kind === "view") {
    const { id, state } = surface.view;
    const changed = { ...state, [blockId]: { ...state[blockId], [actionId]: value } };
    workspace.views.setState(id, changed);
    return { kind: "view", view: { ...surface.view, state: changed } };
  }
  const before = choices.get(surface.message.ts) ?? initialState(surface.message.blocks);
  const state = { ...before, [blockId]: { ...before[blockId], [actionId]: value } };
  choices.set(surface.message.ts, state);
  return { ...surface, state };
}
