import packageJson from "../../package.json" with { type: "json" };

// Runs on any Node, so it uses nothing recent and imports nothing else.

/** The oldest Node that Curfew runs on. */
export const oldestNode = packageJson.engines.node.replace(/^>=/, "");

export function isTooOld(version: string): boolean {
  const numbers = version.split(".").map(Number);
  for (const [index, minimum] of oldestNode.split(".").map(Number).entries()) {
    const number = numbers[index] ?? 0;
    if (number !== minimum) return number < minimum;
  }
  return false;
}
