import { createHash } from "node:crypto";
import { z } from "zod";
import { createPolicy } from "../permissions/policy.ts";
import { lintSettings } from "./lint.ts";
import type { LintFinding } from "./lint-finding.ts";
import { type Settings, settingsSchema } from "./settings.ts";
import { parseYaml, type YamlSource } from "./yaml-source.ts";

export interface ReadSettings {
  readonly settings: Settings;
  /** A hash of the file's text. */
  readonly fingerprint: string;
  /** Settings without effect, as `file:line:col path: message`. */
  readonly lint: Readonly<Record<LintFinding["verdict"], readonly string[]>>;
  /** Where a setting stands, as `file:line:col`. */
  readonly placeOf: YamlSource["placeOf"];
}

/** Reads curfew.yaml, or lists everything wrong with it, each as `file:line:col path: message`. */
export function parseSettings(text: string, file: string): ReadSettings | { problems: string[] } {
  const source = parseYaml(text, file);
  if ("problems" in source) return source;
  const result = source.read(settingsSchema(roleNamesIn(source.content)));
  if ("problems" in result) return result;
  const { permissions, approvals, ...rest } = result.value;
  const settings = { ...rest, policy: createPolicy(permissions, approvals) };
  const lint = lintSettings(settings);
  const findings = (wanted: LintFinding["verdict"]) => source.format(lint.filter(({ verdict }) => verdict === wanted));
  const fingerprint = createHash("sha256").update(text).digest("hex");
  return {
    settings,
    fingerprint,
    lint: { error: findings("error"), warning: findings("warning") },
    placeOf: source.placeOf,
  };
}

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
