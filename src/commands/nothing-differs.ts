import type { Problem } from "./answer.ts";

/** For an edit that would leave a thing as Curfew knows it. */
export function nothingDiffers(noun: string): Problem {
  return {
    problem: `Nothing in this differs from what Curfew knows of the ${noun}, so nothing was sent. Nothing was changed.`,
  };
}
