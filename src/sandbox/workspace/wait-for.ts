import type { Signal } from "../signal.ts";
import type { ApiCall } from "./transport/workspace-server.ts";

export interface WaitOptions {
  readonly timeoutMs?: number;
  /** Names the awaited condition in the error. */
  readonly what?: string;
}

const defaultTimeoutMs = 15_000;
const maxShownCalls = 12;

/** Resolves when the probe finds something. Probes after every change in the workspace. */
export function waitFor<T>(
  probe: () => T | undefined | false | null,
  { timeoutMs = defaultTimeoutMs, what = "the awaited condition" }: WaitOptions,
  signal: Signal,
  calls: readonly ApiCall[],
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(deadline);
      stopListening();
    };
    const check = (isLast: boolean): void => {
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
    const stopListening = signal.listen(() => check(false));
    const deadline = setTimeout(() => check(true), timeoutMs);
    check(false);
  });
}

function describeCalls(calls: readonly ApiCall[]): string {
  const lines = calls.slice(-maxShownCalls).map(({ method, status, arguments: sent, answer }) => {
    return `  ${method} ${status} ${cut(JSON.stringify(sent), 200)} -> ${cut(JSON.stringify(answer), 200)}`;
  });
  return lines.join("\n") || "  none";
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
