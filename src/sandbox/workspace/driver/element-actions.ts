import { blocksOn, choiceAction, pressAction, type Surface, sendBlockAction } from "../interactions/block-actions.ts";
import { type DeliveryOutcome, delivered, type Exchange } from "../interactions/exchange.ts";
import { loadOptions, type ShownOption, shownOptions } from "../interactions/load-options.ts";
import { objectAt } from "../json-object.ts";
import type { User } from "../state/people.ts";
import type { StateValues } from "../validate/state-values.ts";
import { buttonAt } from "./find-button.ts";
import { type ElementPlace, type FormField, fieldAt } from "./form-fields.ts";
import { keepValue, type Place } from "./surface-of.ts";
import { type Typed, typedValue } from "./typed-value.ts";

/** Acts on one exact element by its address, where a visible name could match several. */
export interface ElementActions {
  /** The values that the elements of a surface hold for this person. */
  stateOf(on: Place): StateValues;
  /** Like `fill`, but options are chosen by value among those offered. Text is sent to the app only on Enter, if at all. */
  set(element: ElementPlace, typed: Typed, on: Place, isEntered?: boolean): Promise<DeliveryOutcome>;
  /** Types into an external select. */
  search(element: ElementPlace, query: string, on: Place): Promise<readonly ShownOption[]>;
  /** `option` is the value of an entry of an overflow menu. */
  pressAt(element: ElementPlace, on: Place, option?: string): Promise<DeliveryOutcome>;
}

interface ElementActionsOptions {
  readonly exchange: Exchange;
  readonly user: () => User;
  readonly surface: (place: Place) => Surface;
  readonly choices: Map<string, StateValues>;
}

export function createElementActions({ exchange, user, surface, choices }: ElementActionsOptions): ElementActions {
  const searched = new Map<string, readonly ShownOption[]>();
  const stateOn = (target: Surface): StateValues => (target.kind === "view" ? target.view.state : target.state);
  return {
    stateOf: (on) => stateOn(surface(on)),
    set: async (element, typed, on, isEntered = false) => {
      const target = surface(on);
      const field = fieldAt(blocksOn(target), element);
      const offered = [...(searched.get(keyOf(target, element)) ?? []), ...optionsOf(field, stateOn(target))];
      const load = () => Promise.resolve(offered);
      const value = await typedValue(field.element, typed, { workspace: exchange.workspace, load, offered });
      const after = keepValue(exchange, target, field, value, choices);
      if (!isNotified(field, isEntered)) return delivered;
      return sendBlockAction(exchange, user(), after, choiceAction(field.blockId, field.element, value));
    },
    search: async (element, query, on) => {
      const target = surface(on);
      const field = fieldAt(blocksOn(target), element);
      const options = await loadOptions(exchange, user(), { surface: target, ...field, query });
      searched.set(keyOf(target, element), options);
      return options;
    },
    pressAt: async (element, on, option) => {
      const target = surface(on);
      const button = buttonAt(blocksOn(target), element, option);
      return sendBlockAction(exchange, user(), target, pressAction(button.blockId, button.element, button.option));
    },
  };
}

function keyOf(surface: Surface, { blockId, actionId }: ElementPlace): string {
  return JSON.stringify([surface.kind === "view" ? surface.view.id : surface.message.ts, blockId, actionId]);
}

/** The options that the element lists, and the ones it already holds. */
function optionsOf({ element, blockId, actionId }: FormField, state: StateValues): readonly ShownOption[] {
  const { selected_option, selected_options } = objectAt(state[blockId]?.[actionId]);
  return [...shownOptions(element), ...shownOptions({ options: selected_options ?? [selected_option] })];
}

/** `dispatch_action_config` decides when typed text is sent; by default on Enter (PLATFORM.md §6.3). */
function isNotified({ element, dispatches }: FormField, isEntered: boolean): boolean {
  if (!dispatches || !String(element.type).endsWith("_input")) return dispatches;
  const { trigger_actions_on = ["on_enter_pressed"] } = objectAt(element.dispatch_action_config);
  return (
    Array.isArray(trigger_actions_on) &&
    trigger_actions_on.includes(isEntered ? "on_enter_pressed" : "on_character_entered")
  );
}
