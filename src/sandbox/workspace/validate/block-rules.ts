import { blockShapes } from "./block-shapes.ts";
import type { Surface } from "./placement.ts";
import { byType, problem, type Rule } from "./rule.ts";

type Surfaces = Readonly<Record<string, readonly Surface[]>>;

/** All other supported blocks are allowed on every surface. */
const renderedOnlyOn: Surfaces = { markdown: ["message"], table: ["message", "home"] };

/** Newer blocks that Slack accepts on these surfaces but the sandbox does not render. */
const notRenderedOn: Surfaces = {
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

/** The blocks allowed in a message, a modal or the Home tab (PLATFORM.md §8.2). */
export const blockOn: Readonly<Record<Surface, Rule>> = {
  message: blockRule("message"),
  modal: blockRule("modal"),
  home: blockRule("home"),
};

function blockRule(surface: Surface): Rule {
  const isAllowed = (type: string): boolean => renderedOnlyOn[type]?.includes(surface) ?? true;
  const rendered = Object.entries(blockShapes(surface)).filter(([type]) => isAllowed(type));
  const notRendered = Object.keys(notRenderedOn).filter((type) => notRenderedOn[type]?.includes(surface));
  return byType(
    Object.fromEntries([...rendered, ...notRendered.map((type) => [type, rejectNotRendered(type)] as const)]),
  );
}

function rejectNotRendered(type: string): Rule {
  return (_, pointer) =>
    problem(`unsupported type: ${type} (the sandbox does not render this block)`, `${pointer}/type`);
}
