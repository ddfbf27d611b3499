import { z } from "zod";
import { nearNameIn } from "../language/nearest-word.ts";

/** For an unknown key: the known keys of its part of the file, with blanks between them. */
export function knownKeys({ inst }: z.core.$ZodRawIssue): string {
  return inst instanceof z.ZodObject ? Object.keys(inst.shape).join(" ") : "";
}

/** `known`: as `knownKeys` lists them. */
export function unknownKey(key: string, known: string): string {
  const names = known.split(" ");
  const near = nearNameIn(names)(key);
  return `unknown key "${key}"; ${near === undefined ? `known here: ${names.join(", ")}` : `did you mean "${near}"?`}`;
}
