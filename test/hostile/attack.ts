import { fork } from "node:child_process";
import { once } from "node:events";

export interface Attack {
  /** Closes every connection. */
  stop(): Promise<void>;
}

/** Opens this many hostile connections and holds them; resolves when all are open. */
export async function attack(url: string, count: number, name: string): Promise<Attack> {
  const options = { execArgv: ["--import", "tsx"] };
  const child = fork(new URL("./attacker.ts", import.meta.url), [new URL(url).port, String(count), name], options);
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
