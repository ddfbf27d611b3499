import { createInterface } from "node:readline";
import type { TerminalSession } from "./terminal-session.ts";

export interface Streams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

export interface Terminal {
  /** Resolves when the person leaves, or all of a piped input is done. Never when there was nothing in the input: nobody was there. */
  readonly ended: Promise<void>;
  /** Takes no more lines and waits for the present one. */
  stop(): Promise<void>;
}

/** Reads lines, from a keyboard or a pipe, one after the other. */
export function runTerminal(session: TerminalSession, { input, output }: Streams): Terminal {
  const isKeyboard = input.isTTY === true;
  const lines = createInterface({ input, output: isKeyboard ? output : undefined, terminal: isKeyboard });
  let isClosed = false;
  let isStopped = false;
  lines.on("close", () => {
    isClosed = true;
  });
  lines.on("SIGINT", () => lines.close());
  const prompt = () => {
    if (isClosed || !isKeyboard) return;
    lines.setPrompt(session.prompt);
    lines.prompt();
  };
  const work = async (): Promise<number> => {
    let count = 0;
    prompt();
    for await (const line of lines) {
      count += 1;
      if (isStopped) break;
      // What comes from a pipe is not seen otherwise.
      if (!isKeyboard) output.write(`${session.prompt}${line}\n`);
      if (!(await session.handle(line))) break;
      prompt();
    }
    lines.close();
    // Leaves the line of the last prompt.
    if (isKeyboard) output.write("\n");
    return count;
  };
  const done = work();
  const hasEnded = done.then((count) => (isKeyboard || count > 0 ? undefined : new Promise<undefined>(() => {})));
  return {
    ended: hasEnded,
    stop: async () => {
      isStopped = true;
      lines.close();
      await done;
    },
  };
}
