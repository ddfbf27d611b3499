import { z } from "zod";
import { changeStates } from "../changes/change.ts";

/** The one truth of what goes over the wire; the OpenAPI description is derived from it (openapi.ts). */
export const lineRequest = z.strictObject({
  line: z
    .string("Say what to do in `line`.")
    .trim()
    .min(1, "Say what to do in `line`.")
    .max(4000)
    .meta({ description: "What you would type after the slash command", example: "keep staging up for 1h" }),
  confirm: z.boolean().optional().meta({ description: "Yes to what a person would confirm in a form or by a button" }),
});

const facts = {
  change: z.string().optional().meta({ description: "The id of the change", example: "chg-2abcdefgh" }),
  exclusion: z.string().optional().meta({ description: "The id of the exclusion that it is about" }),
  endsAt: z.iso.datetime().optional().meta({ description: "The end that it gives the exclusion" }),
};

export const lineAnswer = z.object({
  outcome: z
    .enum([...changeStates, "answered"])
    .meta({ description: "The state of the change; answered for a question" }),
  message: z.string().meta({ description: "What a person would read" }),
  ...facts,
});
export type LineAnswer = z.infer<typeof lineAnswer>;

/** Problem kinds and their status. A kind is the last part of the problem's `type`. */
export const problemStatus = {
  "bad-request": 400,
  "no-token": 401,
  refused: 403,
  "not-found": 404,
  "wrong-method": 405,
  "other-body": 409,
  "too-large": 413,
  "wrong-type": 415,
  question: 422,
  "too-many": 429,
  error: 500,
  "not-done": 502,
  "not-now": 503,
} as const;
export type ProblemKind = keyof typeof problemStatus;

/** RFC 9457. */
export const problem = z.object({
  type: z.string().meta({ description: `urn:curfew: and one of ${Object.keys(problemStatus).join(", ")}` }),
  title: z.string(),
  status: z.int(),
  detail: z.string().meta({ description: "What a person would read" }),
  outcome: z.enum(changeStates).optional(),
  ...facts,
  missing: z.array(z.string()).optional().meta({ description: "The fields that the line lacks" }),
  problems: z.record(z.string(), z.string()).optional().meta({ description: "What is wrong with a field of the line" }),
  confirm: z.string().optional().meta({ description: "What the same line with confirm: true says yes to" }),
  choices: z
    .array(z.object({ label: z.string(), command: z.string(), input: z.record(z.string(), z.unknown()) }))
    .optional()
    .meta({ description: "What a person could press: the command, and its input by field" }),
});
export type Problem = z.infer<typeof problem>;
