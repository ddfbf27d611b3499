import { createInterface } from "node:readline";
import type { TerminalSession } from "./terminal-session.ts";

export interface Streams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

export interface Terminal {
  /** Resolves when the person leaves or a piped input ends. Never resolves for an empty pipe, because then nobody is there. */
  readonly ended: Promise<void>;
  /** Takes no more lines and waits for the current one. */
  stop(): Promise<void>;
}

/** Handles lines from a keyboard or a pipe, one at a time. */
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
      // Lines from a pipe are not echoed otherwise.
      if (!isKeyboard) output.write(`${session.prompt}${line}\n`);
      if (!(await session.handle(line))) break;
      prompt();
    }
    lines.close();
    // Ends the line of the last prompt.
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
