import { z } from "zod";
import { distinct } from "../permissions/config-values.ts";

/** A calendar in iCal form, from a file below the folder of curfew.yaml or from the web. */
export interface CalendarSource {
  readonly name: string;
  readonly url?: string | undefined;
  readonly file?: string | undefined;
  /** Whether its url may lead to a private address. */
  readonly private?: boolean | undefined;
}

const calendar = z
  .strictObject({
    name: z.string().regex(/^[a-z][\w-]*$/, "must be one word in small letters, since it is typed: “not on holidays”"),
    url: z.url({ protocol: /^https$/, error: "must be an https address" }).optional(),
    file: z.string().endsWith(".ics", "must be a file named *.ics").optional(),
    private: z.boolean().optional(),
  })
  .refine(({ url, file }) => (url === undefined) !== (file === undefined), "needs either url or file");

/** The `calendars` section of curfew.yaml: whose all-day events are days off. */
export const calendarsSchema = distinct(calendar, ({ name }) => name).default([]);
