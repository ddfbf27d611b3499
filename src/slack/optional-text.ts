import { z } from "zod";

/** Slack may leave out an optional text, or send null or an empty text in its place. */
export const optionalText = z
  .string()
  .nullish()
  .transform((text) => text || undefined);
