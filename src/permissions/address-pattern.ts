import { z } from "zod";

/** An http(s) address with one place, such as `{ticket}`, after its host. */
export const addressPattern = (place: string) =>
  z
    .string()
    .max(500, "must have at most 500 characters")
    .refine((pattern) => isPattern(pattern, place), `must be an http(s) address with one ${place} after its host`)
    .meta({ title: "address", pattern: `[{]${place.slice(1, -1)}[}]` });

/** The address with a text in its place; undefined without a pattern, which the config has checked. */
export const addressIn = (pattern: string | undefined, place: string, text: string): string | undefined =>
  pattern === undefined ? undefined : filled(pattern, place, text)?.href;

function isPattern(pattern: string, place: string): boolean {
  const [one, other] = ["1", "2"].map((text) => filled(pattern, place, text));
  if (pattern.split(place).length !== 2 || !one || !other) return false;
  return one.origin === other.origin && `${one.username}${one.password}` === "" && /^https?:$/.test(one.protocol);
}

function filled(pattern: string, place: string, text: string): URL | undefined {
  const address = pattern.replace(place, () => encodeURIComponent(text));
  return URL.canParse(address) ? new URL(address) : undefined;
}
