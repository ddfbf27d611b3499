import { parseArgs } from "node:util";

export type Arguments =
  | { readonly kind: "run"; readonly configFile: string | undefined }
  | { readonly kind: "help" }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

export const usage = `Usage: npm start -- [--config <file>]

  --config <file>   permissions and settings, instead of what CURFEW_CONFIG names
  --help            this

Everything else is set by environment variables or a .env file: see .env.example. With none of the SLACK_… and SCHEDULER_…
variables set, Curfew runs in its sandbox.
`;

/** The command line, without the names of the program. */
export function readArguments(args: readonly string[]): Arguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { config: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) return { kind: "help" };
    if (values.config === "") return { kind: "problems", problems: ["--config names no file"] };
    return { kind: "run", configFile: values.config };
  } catch (error) {
    return { kind: "problems", problems: [error instanceof Error ? error.message : String(error)] };
  }
}
