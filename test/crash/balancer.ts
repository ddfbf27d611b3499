import type { Bot } from "./scene.ts";

/** Routes Slack's commands to the running processes in turn. */
export interface Balancer {
  readonly bots: readonly Bot[];
  add(bot: Bot): void;
  remove(bot: Bot): void;
  next(triggerId: string): Bot | undefined;
  /** The process that got a command. */
  botOf(triggerId: string): Bot | undefined;
}

export function createBalancer(): Balancer {
  const routes = new Map<string, Bot>();
  let bots: readonly Bot[] = [];
  return {
    get bots() {
      return bots;
    },
    add: (bot) => {
      bots = [...bots, bot];
    },
    remove: (bot) => {
      bots = bots.filter((other) => other !== bot);
    },
    next: (triggerId) => {
      const bot = bots[routes.size % bots.length];
      if (bot) routes.set(triggerId, bot);
      return bot;
    },
    botOf: (triggerId) => routes.get(triggerId),
  };
}
