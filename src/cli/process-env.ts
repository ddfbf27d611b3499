import type { RawEnvironment } from "../config/environment.ts";

/** The surroundings of the process: arguments, environment, files and streams. */
export interface ProcessEnv {
  readonly args: readonly string[];
  readonly env: RawEnvironment;
  /** The folder that contains `manifest/`. */
  readonly rootFolder: string;
  readonly readFile: (path: string) => string;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly errorOutput: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** For the rate of long work; `performance.now` unless a test says otherwise. */
  readonly elapsedMs?: () => number;
  /** Registers the function that runs when the process gets a request to reload its config. */
  readonly onReloadAsked: (reload: () => Promise<void>) => void;
  /**
   * Registers the function that logs what nobody handles: a promise that was rejected, or an exception, which ends the process since
   * its state may be wrong.
   */
  readonly onUnhandled: (log: (kind: "rejection" | "exception", error: unknown) => void) => void;
  /** Resolves when the process gets a request to stop. */
  readonly stopAsked: Promise<void>;
}
