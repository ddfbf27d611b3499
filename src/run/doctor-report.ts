import type { Finding, Verdict } from "../finding.ts";
import { escapeUnsafe, unsafeCharacters } from "../unsafe-characters.ts";

const verdicts: readonly Verdict[] = ["ok", "warning", "failed", "not checked"];

/** For people: a line or more for each finding, and one that sums up. */
export function printFindings(findings: readonly Finding[]): string {
  const widest = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.flatMap(({ name, verdict, what, whatToDo }) => {
    const text = [...what.split("\n"), ...(whatToDo === undefined ? [] : [`→ ${whatToDo}`])];
    const heads = [`${verdict.padEnd(verdictWidth)}${name.padEnd(widest + 2)}`];
    return text.map((line, index) => (heads[index] ?? " ".repeat(verdictWidth + widest + 2)) + harmless(line));
  });
  return [...lines, "", sumUp(findings), ""].join("\n");
}

const verdictWidth = Math.max(...verdicts.map((verdict) => verdict.length)) + 2;

function sumUp(findings: readonly Finding[]): string {
  const counts = verdicts.map((verdict) => `${findings.filter((each) => each.verdict === verdict).length} ${verdict}`);
  const failed = findings.filter(({ verdict }) => verdict === "failed").map(({ name }) => name);
  return failed.length > 0 ? `${counts.join(", ")}. Failed: ${failed.join(", ")}.` : `${counts.join(", ")}.`;
}

/** Names that come from Slack or the service must not steer the terminal. */
const harmless = (text: string): string => text.replaceAll(unsafeCharacters, "�");

/** For scripts. */
export const findingsJson = (findings: readonly Finding[]): string =>
  escapeUnsafe(`${JSON.stringify({ isWell: isWell(findings), checks: findings }, undefined, 2)}\n`);

export const isWell = (findings: readonly Finding[]): boolean => findings.every(({ verdict }) => verdict !== "failed");
