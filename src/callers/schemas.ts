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

/** Problem kinds, with their status and title. A kind is the last part of the problem's `type`. */
export const problemKinds = {
  "bad-request": [400, "Invalid request"],
  "no-token": [401, "A token of a caller is needed"],
  refused: [403, "This is not allowed"],
  "not-found": [404, "Not found"],
  "wrong-method": [405, "This address takes another method"],
  "other-body": [409, "This Idempotency-Key came with another body before"],
  "too-large": [413, "The request is too large"],
  "wrong-type": [415, "The request is not application/json"],
  question: [422, "The line is incomplete or ambiguous"],
  "too-many": [429, "Too many requests"],
  error: [500, "Something went wrong"],
  "not-done": [502, "It was not done, or nobody knows whether it was"],
  "not-now": [503, "Not done yet"],
} as const;
export type ProblemKind = keyof typeof problemKinds;

/** RFC 9457. */
export const problem = z.object({
  type: z.string().meta({ description: `urn:curfew: and one of ${Object.keys(problemKinds).join(", ")}` }),
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

/** The OpenAPI 3.1 description, made of the schemas that requests are read with. */
export function openApi(): object {
  return {
    openapi: "3.1.0",
    info: { title: "Curfew for pipelines", version: "1", description: about },
    security: [{ token: [] }],
    paths: {
      "/v1/lines": {
        post: {
          operationId: "askLine",
          summary: "Ask for what a line says",
          parameters: [idempotencyKey],
          requestBody: { required: true, content: json("LineRequest") },
          responses: {
            200: { description: "Done, planned, or answered", content: json("Answer") },
            202: {
              description: "It waits for an approval, or is under way",
              headers: { Location: location },
              content: json("Answer"),
            },
            ...problems("bad-request", "no-token", "refused", "other-body", "too-large", "wrong-type"),
            ...problems("question", "too-many", "error", "not-done", "not-now"),
          },
        },
      },
      "/v1/changes/{id}": {
        get: {
          operationId: "lookAtChange",
          summary: "See how a change of this caller came out",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: {
            200: { description: "The change as it is", content: json("Answer") },
            ...problems("no-token", "not-found", "too-many", "error"),
          },
        },
      },
    },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: schemas(),
    },
  };
}

const about =
  "Lines as people type them after Curfew's slash command, with the rights of the role that the config names for the caller.";

function schemas() {
  const plain = (schema: z.ZodType) => {
    const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
    return rest;
  };
  return { LineRequest: plain(lineRequest), Answer: plain(lineAnswer), Problem: plain(problem) };
}

const json = (name: string, type = "application/json") => ({
  [type]: { schema: { $ref: `#/components/schemas/${name}` } },
});

const location = { description: "Where to look later: /v1/changes/{id}", schema: { type: "string" } };

const idempotencyKey = {
  ...{ name: "Idempotency-Key", in: "header", required: true },
  description:
    "A name for this request. A repeat does nothing again and gets the first answer; after 202 the present state. What was answered with 429, 500 or 503 is done by a repeat, unless it was done before.",
  schema: { type: "string", pattern: "^[!-~]{1,200}$" },
};

const problems = (...kinds: readonly ProblemKind[]) =>
  Object.fromEntries(
    kinds.map((kind) => {
      const [status, description] = problemKinds[kind];
      return [status, { description, content: json("Problem", "application/problem+json") }];
    }),
  );
