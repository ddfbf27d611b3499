import type { Signal } from "../signal.ts";
import type { ApiCall } from "./workspace-server.ts";

export interface WaitOptions {
  readonly timeoutMs?: number;
  /** What is being waited for, for the error. */
  readonly what?: string;
}

const usualTimeoutMs = 15_000;
const shownCalls = 12;

/** Resolves as soon as a change in the workspace makes the probe find something. */
export function waitFor<T>(
  probe: () => T | undefined | false | null,
  { timeoutMs = usualTimeoutMs, what = "what was waited for" }: WaitOptions,
  signal: Signal,
  calls: readonly ApiCall[],
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(deadline);
      ignore();
    };
    const look = (isLast: boolean): void => {
      try {
        const found = probe();
        if (found !== undefined && found !== false && found !== null) {
          stop();
          resolve(found);
        } else if (isLast) {
          stop();
          reject(new Error(`${what} did not happen within ${timeoutMs} ms. Recent calls:\n${describeCalls(calls)}`));
        }
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const ignore = signal.listen(() => look(false));
    const deadline = setTimeout(() => look(true), timeoutMs);
    look(false);
  });
}

function describeCalls(calls: readonly ApiCall[]): string {
  const lines = calls.slice(-shownCalls).map(({ method, status, arguments: sent, answer }) => {
    return `  ${method} ${status} ${cut(JSON.stringify(sent), 200)} -> ${cut(JSON.stringify(answer), 200)}`;
  });
  return lines.join("\n") || "  none";
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
