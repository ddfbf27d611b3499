import { fork } from "node:child_process";
import { once } from "node:events";
import { compile } from "../support/compiled.ts";

export interface Attack {
  /** Closes every connection. */
  stop(): Promise<void>;
}

/** Opens this many hostile connections and holds them; resolves when all are open. */
export async function attack(url: string, count: number, name: string): Promise<Attack> {
  const child = fork(compile("test/hostile/attacker.ts"), [new URL(url).port, String(count), name]);
  const exited = once(child, "exit");
  await Promise.race([
    once(child, "message"),
    exited.then(([code]) => Promise.reject(new Error(`the attacker ended with ${code}`))),
  ]);
  return {
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
