import { z } from "zod";
import { titles } from "./answer.ts";
import { lineAnswer, lineRequest, type ProblemKind, problem, problemStatus } from "./schemas.ts";

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
    kinds.map((kind) => [
      problemStatus[kind],
      { description: titles[kind], content: json("Problem", "application/problem+json") },
    ]),
  );
