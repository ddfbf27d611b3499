import { blockShapes } from "./block-shapes.ts";
import { byType, problem, type Rule } from "./rule.ts";

export type Surface = "message" | "modal" | "home";
type Surfaces = Readonly<Record<string, readonly Surface[]>>;

/** All other drawn blocks stand anywhere. */
const drawnOnlyOn: Surfaces = { markdown: ["message"], table: ["message", "home"] };

/** Blocks that Slack takes on these surfaces but the sandbox does not draw: newer ones that an ordinary app does without. */
const undrawnOn: Surfaces = {
  alert: ["modal"],
  card: ["message", "modal", "home"],
  carousel: ["message", "home"],
  container: ["message", "home"],
  context_actions: ["message"],
  data_table: ["message", "home"],
  data_visualization: ["message"],
  plan: ["message"],
  task_card: ["message"],
  video: ["message", "modal", "home"],
};

/** What may stand in `blocks` of a message, a modal or the Home tab (platform.md §8.2). */
export const blockOn: Readonly<Record<Surface, Rule>> = {
  message: blockRule("message"),
  modal: blockRule("modal"),
  home: blockRule("home"),
};

function blockRule(surface: Surface): Rule {
  const isAllowed = (type: string): boolean => drawnOnlyOn[type]?.includes(surface) ?? true;
  const drawn = Object.entries(blockShapes(surface)).filter(([type]) => isAllowed(type));
  const undrawn = Object.keys(undrawnOn).filter((type) => undrawnOn[type]?.includes(surface));
  return byType(Object.fromEntries([...drawn, ...undrawn.map((type) => [type, refuseUndrawn(type)] as const)]));
}

function refuseUndrawn(type: string): Rule {
  return (_, pointer) => problem(`unsupported type: ${type} (the sandbox does not draw this block)`, `${pointer}/type`);
}
