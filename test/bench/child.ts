import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { once } from "node:events";

/** A process of the bench itself, written in TypeScript. It ends with this one. */
export interface Child {
  readonly process: ChildProcess;
  ask<Answer>(message: object): Promise<Answer>;
  stop(): Promise<void>;
}

export function startChild(file: string, args: readonly string[] = [], options: ForkOptions = {}): Child {
  const child = fork(new URL(file, import.meta.url), args, { execArgv: ["--import", "tsx"], ...options });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  ended.catch(() => undefined);
  return {
    process: child,
    ask: async <Answer>(message: object) => {
      const answered = Promise.race([once(child, "message"), ended]);
      child.send(message);
      // Messages between the bench's processes are declared once, next to their sender.
      const [answer]: Answer[] = await answered;
      if (answer === undefined) throw new Error(`${file} said nothing`);
      return answer;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      await ended.catch(() => undefined);
    },
  };
}

/** A stand-in and its address. */
export async function startStandIn(
  file: string,
  args: readonly string[] = [],
): Promise<Child & { readonly url: string }> {
  const child = startChild(file, args);
  const [said]: { port: number }[] = await once(child.process, "message");
  return { ...child, url: `http://127.0.0.1:${said?.port}` };
}
