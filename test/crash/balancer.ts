import type { Bot } from "./scene.ts";

/** Stands before the processes that run: a command of Slack's goes to the next of them. */
export interface Balancer {
  readonly bots: readonly Bot[];
  add(bot: Bot): void;
  remove(bot: Bot): void;
  next(triggerId: string): Bot | undefined;
  /** Who got a command. */
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
