import { createHash } from "node:crypto";
import { z } from "zod";
import { scopeAmong } from "../permissions/config-values.ts";
import { createPolicy } from "../permissions/policy.ts";
import { mainAccount } from "../service/account-ids.ts";
import { type LintFinding, lintSettings } from "./lint.ts";
import { withLists } from "./lists.ts";
import { programsOf, type Settings, settingsSchema } from "./settings.ts";
import { type YamlSource, yamlIn } from "./yaml-source.ts";

export interface ReadSettings {
  readonly settings: Settings;
  /** Settings without effect, as `file:line:col path: message`. */
  readonly lint: Readonly<Record<LintFinding["verdict"], readonly string[]>>;
  /** Where a setting stands, as `file:line:col`. */
  readonly placeOf: YamlSource["placeOf"];
}

/** What a running Curfew keeps of it: without the text. */
export type LiveSettings = Omit<ReadSettings, "placeOf">;

/** A parsed text takes a hundred times its memory, and blocks the process while it is parsed. */
const maxLength = 1_000_000;
const maxEntries = 5000;
const importThem = "put them into a file and use “directory import” (OPERATING.md, “Fill the directory”)";

/** Reads curfew.yaml, or lists everything wrong with it, each as `file:line:col path: message`. */
export function parseSettings(text: string, file: string): ReadSettings | { problems: string[] } {
  if (text.length > maxLength)
    return {
      problems: [`${file}:1:1 longer than 1,000,000 characters; with many entries in directory, ${importThem}`],
    };
  const source = yamlIn(text, file, withLists);
  if ("problems" in source) return source;
  const count = entriesIn(source.content);
  if (count > maxEntries) {
    const message = `${count} entries, and at most ${maxEntries} are read: ${importThem}`;
    return { problems: source.format([{ path: ["directory"], message }]) };
  }
  const result = source.read(settingsSchema(roleNamesIn(source.content), scopeOf(source.content)));
  if ("problems" in result) return result;
  const { permissions, approvals, identity, budgets, lists: _lists, ...rest } = result.value;
  const policy = createPolicy(permissions, approvals, identity, budgets, programsOf(rest));
  const settings = {
    ...rest,
    policy: { ...policy, workflowApprovers: rest.workflows?.approvers },
    fingerprint: fingerprintOf(text),
  };
  const lint = lintSettings(settings);
  const findings = (wanted: LintFinding["verdict"]) => source.format(lint.filter(({ verdict }) => verdict === wanted));
  return {
    settings,
    lint: { error: findings("error"), warning: findings("warning") },
    placeOf: source.placeOf,
  };
}

export const fingerprintOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The entries of all lists of the directory. */
function entriesIn(content: unknown): number {
  const read = z.object({ directory: z.record(z.string(), z.unknown()) }).safeParse(content);
  const lists = Object.values(read.data?.directory ?? {});
  return lists.reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

/** The names that approvers may use, read before everything else so that one run reports every problem. */
function roleNamesIn(content: unknown): string[] {
  const roles = z.object({ permissions: z.object({ roles: z.record(z.string(), z.unknown()) }) }).safeParse(content);
  return roles.success ? Object.keys(roles.data.permissions.roles) : [];
}

/** The accounts and groups that rules may name, likewise. What is wrong with one of them is reported where it stands. */
function scopeOf(content: unknown) {
  const accounts = z.object({ accounts: z.record(z.string(), z.unknown()) }).safeParse(content).data?.accounts ?? {};
  const group = z.object({ type: z.string(), project: z.string(), ids: z.array(z.string()).default([]) });
  const empty = { type: "", project: "", ids: [] };
  const groups = z.object({ resourceGroups: z.record(z.string(), group.catch(empty)) }).safeParse(content).data;
  return scopeAmong(groups?.resourceGroups ?? {}, [mainAccount, ...Object.keys(accounts)]);
}

/** Why a file cannot be read. Node's message names the file at its end, where ours has named it already. */
export function cannotBeRead(file: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${file} cannot be read: ${message.replace(`, open '${file}'`, "")}`;
}
