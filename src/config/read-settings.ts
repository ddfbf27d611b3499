import { createHash } from "node:crypto";
import { z } from "zod";
import { createPolicy } from "../permissions/policy.ts";
import { inOneGo, type Sliced } from "../time/slices.ts";
import { callersAsPrograms } from "./callers-section.ts";
import { directoryLists } from "./directory-section.ts";
import { lintSettings } from "./lint.ts";
import type { LintFinding } from "./lint-finding.ts";
import { type Settings, settingsSchema } from "./settings.ts";
import { workflowsAsProgram } from "./workflows-section.ts";
import { type YamlSource, yamlIn } from "./yaml-source.ts";

export interface ReadSettings {
  readonly settings: Settings;
  /** A hash of the file's text. */
  readonly fingerprint: string;
  /** Settings without effect, as `file:line:col path: message`. */
  readonly lint: Readonly<Record<LintFinding["verdict"], readonly string[]>>;
  /** Where a setting stands, as `file:line:col`. */
  readonly placeOf: YamlSource["placeOf"];
}

/** What a running Curfew keeps of it: without the text. */
export type LiveSettings = Omit<ReadSettings, "placeOf">;

type SettingsOrProblems = ReadSettings | { problems: string[] };

/** Reads curfew.yaml, or lists everything wrong with it, each as `file:line:col path: message`. */
export function parseSettings(text: string, file: string): SettingsOrProblems {
  return inOneGo(settingsIn(text, file));
}

/** The same in slices: a directory may have tens of thousands of entries. */
export function* settingsIn(text: string, file: string, pieceSize?: number): Sliced<SettingsOrProblems> {
  const source = yield* yamlIn(text, file, pieceSize);
  if ("problems" in source) return source;
  const schemas = directoryLists();
  const result = yield* source.read(settingsSchema(roleNamesIn(source.content), schemas), {
    schemas,
    add: ({ directory }, name, items) => {
      const lists: Readonly<Record<string, unknown[]>> = directory;
      lists[name]?.push(...items);
    },
  });
  if ("problems" in result) return result;
  const { permissions, approvals, identity, budgets, ...rest } = result.value;
  const programs = [...callersAsPrograms(rest.callers), ...workflowsAsProgram(rest.workflows)];
  const policy = createPolicy(permissions, approvals, identity, budgets, programs);
  const settings = { ...rest, policy: { ...policy, workflowApprovers: rest.workflows?.approvers } };
  const lint = lintSettings(settings);
  const findings = (wanted: LintFinding["verdict"]) => source.format(lint.filter(({ verdict }) => verdict === wanted));
  return {
    settings,
    fingerprint: fingerprintOf(text),
    lint: { error: findings("error"), warning: findings("warning") },
    placeOf: source.placeOf,
  };
}

export const fingerprintOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The names that approvers may use, read before everything else so that one run reports every problem. */
function roleNamesIn(content: unknown): string[] {
  const roles = z.object({ permissions: z.object({ roles: z.record(z.string(), z.unknown()) }) }).safeParse(content);
  return roles.success ? Object.keys(roles.data.permissions.roles) : [];
}

/** Why a file cannot be read. Node's message names the file at its end, where ours has named it already. */
export function cannotBeRead(file: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${file} cannot be read: ${message.replace(`, open '${file}'`, "")}`;
}
